internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import TextReports
internal import WaypostSchema
internal import Yams

extension ScenarioRun {
    /// Performs an action, and waits for its consequences.
    func perform(_ action: Action, expecting expectation: Expectation?) async throws -> StepAnswer {
        switch action {
        case .send(let sendings): return try await send(sendings, expecting: expectation)
        case .message(let message): return try await receive(message)
        case .contact(let device, let contact):
            handles[device, default: [:]].add(contact)
            return StepAnswer(try await happen(.contactChanged(stage.withTokens(contact)), to: device))
        case .conversation(let device, let conversation):
            return StepAnswer(try await happen(.conversationChanged(conversation), to: device))
        case .pin(let link):
            let event = DeviceEvent.linkPinned(try message(of: link), url: link.link)
            return StepAnswer(try await happen(event, to: link.device))
        case .unpin(let link):
            let event = DeviceEvent.linkUnpinned(try message(of: link), url: link.link)
            return StepAnswer(try await happen(event, to: link.device))
        case .open(let opening):
            let answer = try await open(opening)
            try await waitUntilActivationsAreTaken(on: opening.device)
            return answer
        case .tap(let tap): return try await self.tap(tap)
        case .reply(let reply): return try await self.reply(reply)
        case .remove(let device, let link):
            return StepAnswer(try await happen(.linkRemoved(url: link), to: device))
        case .restore(let device, let link):
            return StepAnswer(try await happen(.linkRestored(url: link), to: device))
        case .consent(let change):
            guard let event = change.event, let device = change.device else { return StepAnswer() }
            return StepAnswer(try await happen(event, to: device))
        case .app(let control): return try await self.control(control)
        case .handoff(let request): return try await handOff(request)
        case .subscribe(let subscription): return try await subscribe(subscription)
        case .event(let device, let event):
            let answer = StepAnswer(try await happen(event, to: device))
            noteSentToAll()
            try await settle()
            return answer
        case .snapshot(let device, let name):
            try await stage.agent(of: device).snapshot(name, of: device)
            return StepAnswer()
        case .reset(let device, let name):
            try await reset(device, to: name)
            return StepAnswer()
        default: return try await performOnProcesses(action, expecting: expectation)
        }
    }

    /// Performs an action on processes, the network, the clock or an API.
    private func performOnProcesses(_ action: Action, expecting expectation: Expectation?) async throws -> StepAnswer {
        switch action {
        case .power(let device, let isLow): try await setPower(of: device, isLow: isLow)
        case .network(let device, let isOn): try await setNetwork(of: device, isOn: isOn)
        case .kill(let process): try await kill(process)
        case .restart(let process): try await restart(process)
        case .advance(let milliseconds): try await advance(by: milliseconds)
        case .fault(let device, let fault):
            var fault = fault
            fault.token = try stage.token(of: device)
            return StepAnswer(try await stage.gateway.addFault(fault))
        case .run(let command): return try await run(command, expecting: expectation)
        case .call(let call): return try await self.call(call)
        default: break
        }
        return StepAnswer()
    }
}

// MARK: - Sending

extension ScenarioRun {
    /// Sends notifications, and waits until the connected devices have acknowledged them.
    private func send(_ sendings: [Sending], expecting expectation: Expectation?) async throws -> StepAnswer {
        var batch: [BatchItem] = []
        var answer = StepAnswer()
        var results: [JSONValue] = []
        lastSent = []
        for sending in sendings {
            if let channel = sending.channel {
                results.append(try await broadcast(sending, to: channel, &answer))
                continue
            }
            let items = try await items(of: sending)
            if sending.over == .provider {
                results += try await sendOneByOne(items, &answer)
            } else {
                batch += items
            }
        }
        sent += lastSent
        if !batch.isEmpty { answer.take(try await stage.gateway.send(Self.lines(batch))) }
        if !results.isEmpty { answer.document = .object(["results": .array(results)]) }
        try await settle()
        if let reason = answer.refusals.first, expectation?.isAboutARefusal != true {
            throw StepFailure(
                "the gateway rejected what was sent: \(reason)",
                explanation: answer.refusalMessage.map { "The gateway says: \($0)" }
            )
        }
        return answer
    }

    /// Returns the notifications of a sending.
    private func items(of sending: Sending) async throws -> [BatchItem] {
        // The clock of a given gateway may be the machine's.
        if sending.expiresIn != nil { now = try await stage.gateway.clock().now }
        let devices = (sending.to?.names ?? []).flatMap(scenario.devices(named:))
        var items: [BatchItem] = []
        for device in devices {
            for number in 1...(sending.count ?? 1) {
                let id = sending.id ?? nextIdentifier()
                let title = sending.title?.numbered(number) ?? sending.body ?? id.rawValue
                lastSent.append(Sent(id: id, device: device, title: title))
                items.append(item(sending, number, to: try stage.token(of: device), id))
            }
        }
        note(sentTo: devices)
        return items
    }

    private func item(_ sending: Sending, _ number: Int, to token: DeviceToken, _ id: NotificationID) -> BatchItem {
        BatchItem(
            token: token,
            topic: sending.topic,
            pushType: sending.pushType,
            priority: sending.priority,
            expiration: sending.expiration(at: now),
            collapseID: sending.collapseID,
            id: id,
            payload: sending.payload(number: number)
        )
    }

    private static func lines(_ items: [BatchItem]) throws -> [UInt8] {
        var lines: [UInt8] = []
        for item in items { lines += try JSONEncoder().encode(item) + [UInt8(ascii: "\n")] }
        return lines
    }

    /// Sends requests as an APNs client does, over one HTTP/2 connection.
    private func sendOneByOne(_ items: [BatchItem], _ answer: inout StepAnswer) async throws -> [JSONValue] {
        guard let authority = stage.urls.authority else {
            throw StepFailure("the certificate of the gateway is not known; use --ready-file of the gateway")
        }
        let url = stage.urls.provider
        return try await HTTPClient.withHTTPClient(configuration: ProviderClient.configuration(trusting: authority)) {
            let client = try providerClient($0, url)
            var results: [JSONValue] = []
            for item in items { results.append(answer.take(try await client.send(item))) }
            return results
        }
    }

    private func broadcast(_ sending: Sending, to name: String, _ answer: inout StepAnswer) async throws -> JSONValue {
        var sending = sending
        sending.pushType = sending.pushType ?? "liveactivity"
        let client = try providerClient(http, stage.urls.providerPlaintext)
        if sending.expiresIn != nil { now = try await stage.gateway.clock().now }
        let item = item(sending, 1, to: "", sending.id ?? nextIdentifier())
        noteSentToAll()
        let accepted = try await client.broadcast(item, to: try channel(name))
        let title = sending.title ?? sending.body ?? name
        lastSent += (subscribers[name] ?? []).map { Sent(id: accepted.id ?? "", device: $0, title: title) }
        return answer.take(accepted)
    }

    private func subscribe(_ subscription: Subscription) async throws -> StepAnswer {
        let id = try await channel(subscription)
        let path = "/v1/devices/\(try stage.token(of: subscription.device))/channels"
        let current: DeviceChannels = try await stage.service.get(path)
        let changed = DeviceChannels(channels: current.channels.filter { $0 != id } + [id])
        let answer: DeviceChannels = try await stage.service.put(path, changed)
        if subscribers[subscription.channel]?.contains(subscription.device) != true {
            subscribers[subscription.channel, default: []].append(subscription.device)
        }
        note(sentTo: [subscription.device])
        try await settle()
        return StepAnswer(answer)
    }
}

extension StepAnswer {
    /// Takes the receipt of a batch.
    fileprivate mutating func take(_ receipt: BatchReceipt) {
        document = JSONValue(encoding: receipt)
        refusals += receipt.results.compactMap(\.reason)
        refusalMessage = refusalMessage ?? receipt.results.lazy.compactMap(\.message).first
    }

    /// Takes the answer of the provider API, and returns it as JSON.
    fileprivate mutating func take(_ answer: ProviderClient.Answer) -> JSONValue {
        if answer.status != 200 {
            refusals.append(answer.reason ?? RejectionReason(rawValue: "\(answer.status)"))
            refusalMessage = refusalMessage ?? answer.message
        }
        var members: [String: JSONValue] = ["status": .integer(answer.status)]
        members["reason"] = answer.reason.map { .string($0.rawValue) }
        members["id"] = answer.id.map { .string($0.rawValue) }
        return .object(members)
    }
}

// MARK: - Messages

extension ScenarioRun {
    /// Applies a message that arrives, or that the user sends.
    private func receive(_ incoming: IncomingMessage) async throws -> StepAnswer {
        let device = incoming.device
        let handle = incoming.from.map { handles[device]?[$0] ?? Handle(rawValue: $0) }
        let earlier = messages[device] ?? []
        guard
            let conversation = incoming.conversation
                ?? (incoming.from ?? earlier.last?.conversation.rawValue)
                .map(ConversationID.init(rawValue:))
        else { throw StepFailure("the message needs 'conversation' or 'from'") }
        let message = Message(
            id: incoming.id ?? MessageID(rawValue: "m\(earlier.count + 1)"),
            conversation: conversation,
            sender: handle,
            text: incoming.text
        )
        let reaction = try await happen(.messageReceived(message), to: device)
        messages[device, default: []].append(message)
        return StepAnswer(reaction)
    }

    /// Returns the message of a link: the named one, the latest one with the link, or the latest one.
    private func message(of reference: LinkReference) throws(StepFailure) -> MessageID {
        if let id = reference.message { return id }
        let known = messages[reference.device] ?? []
        let found = reference.link.map { link in known.last { $0.text.contains(link) } } ?? known.last
        guard let found else {
            let link = reference.link.map { " with the link \($0)" } ?? ""
            throw StepFailure("\(reference.device) got no message\(link) in this scenario; name it with 'message'")
        }
        return found.id
    }

    /// Taps an attribution view, an item of its menu, or a conversation in the disambiguation menu.
    private func tap(_ tap: Tap) async throws -> StepAnswer {
        if let choice = tap.choose { return try await choose(choice, on: tap.device) }
        let link = tap.link ?? ""
        let app = try app(of: tap.device, given: tap.app)
        let view = try await attributionView(of: link, in: app, on: tap.device).view
        let event: DeviceEvent =
            tap.item.map { .menuItemChosen(app, view, $0, nil) } ?? .attributionTapped(app, view, nil)
        return answer(try await happenInForeground(event, of: app, on: tap.device), on: tap.device)
    }

    private func attributionView(
        of link: String,
        in app: BundleIdentifier,
        on device: String,
        _ preferences: AttributionPreferences? = nil
    ) async throws -> AttributionView {
        let agent = try stage.agent(of: device)
        let process = AppClient(http, try await agent.credential(of: app, on: device))
        do {
            return try await process.attribution(AttributionRequest(url: link, preferences: preferences))
        } catch {
            let gates = try await agent.explain(link, in: app, on: device).text
            throw StepFailure("\(app) on \(device) does not have the link \(link)", explanation: gates)
        }
    }

    /// Applies an event that needs the app in front, and opens the app before if it is not.
    private func happenInForeground(
        _ event: DeviceEvent,
        of app: BundleIdentifier,
        on device: String
    ) async throws -> DeviceReaction {
        do {
            return try await happen(event, to: device)
        } catch let failure as StepFailure where failure.ignored == .notInForeground {
            _ = try await stage.agent(of: device).openApp(app, on: device)
            return try await happen(event, to: device)
        }
    }

    private func choose(_ choice: String, on device: String) async throws -> StepAnswer {
        guard let menu = menus[device] else { throw StepFailure("\(device) shows no disambiguation menu") }
        let found = menu.choices.first { $0.title.withoutIsolates == choice || $0.conversation.rawValue == choice }
        guard let found else {
            let titles = menu.choices.map(\.title.withoutIsolates).joined(separator: ", ")
            throw StepFailure("the disambiguation menu has no '\(choice)'; it has: \(titles)")
        }
        return answer(try await happen(.conversationChosen(found.conversation), to: device), on: device)
    }

    /// Replies in the conversation that is shown over the app, and waits until the gateway has the reply.
    private func reply(_ reply: Reply) async throws -> StepAnswer {
        let device = reply.device
        if let link = reply.link {
            _ = try await tap(Tap(device: device, app: reply.app, link: link))
            if let conversation = reply.conversation { _ = try await choose(conversation, on: device) }
        }
        guard let conversation = presented[device] else {
            let menu = menus[device].map { menu in
                "; its disambiguation menu has: \(menu.choices.map(\.title.withoutIsolates).joined(separator: ", "))"
            }
            throw StepFailure("\(device) shows no conversation to reply in\(menu ?? "; give 'link', or tap before")")
        }
        let number = (messages[device]?.count ?? 0) + 1
        let id = MessageID(rawValue: "reply-\(device)-\(number)")
        let message = Message(id: id, conversation: conversation.conversation, text: reply.text)
        let agent = try stage.agent(of: device)
        let before = try await agent.journalLength(of: device)
        let reaction = try await happen(.replySent(message), to: device)
        messages[device, default: []].append(message)
        presented[device] = nil
        var answer = StepAnswer(reaction)
        for case .messageSent(_, let recipients) in reaction.effects {
            answer.summary = recipients.map(\.explanation).joined(separator: "; ")
            guard recipients.contains(where: { !$0.tokens.isEmpty }) else { continue }
            try await ProcessWait.orFail(with: "the gateway did not accept the reply") {
                try await agent.journal(of: device, after: before).entries.contains { entry in
                    if case .messageDelivered(id) = entry.event { true } else { false }
                }
            }
        }
        noteSentToAll()
        try await settle()
        return answer
    }

    private func answer(_ reaction: DeviceReaction, on device: String) -> StepAnswer {
        var answer = StepAnswer(reaction)
        for effect in reaction.effects {
            switch effect {
            case .conversationPresented(let shown): answer.conversation = shown.title.withoutIsolates
            case .disambiguationPresented(let menu): answer.choices = menu.choices.map(\.title.withoutIsolates)
            default: break
            }
        }
        answer.summary = answer.conversation ?? answer.choices?.joined(separator: ", ")
        return answer
    }
}

extension String {
    /// The text without the invisible characters that isolate names from the text around them.
    var withoutIsolates: String {
        filter { !("\u{2066}"..."\u{2069}").contains($0) }
    }
}

// MARK: - Opening

extension ScenarioRun {
    private func open(_ opening: Opening) async throws -> StepAnswer {
        let device = opening.device
        let agent = try stage.agent(of: device)
        if let title = opening.notification {
            return StepAnswer(try await agent.open(try await notification(title, on: device).id, on: device))
        }
        if let url = opening.url {
            return StepAnswer(try await agent.openURL(url, from: opening.from, on: device))
        }
        if let activity = opening.activity { return try await self.open(activity: activity, on: device) }
        guard let app = opening.app else { return StepAnswer() }
        if let shortcut = opening.shortcut {
            return StepAnswer(try await agent.performShortcutItem(shortcut, of: app, on: device))
        }
        return StepAnswer(try await agent.openApp(app, on: device))
    }

    /// Returns the latest notification with a title or an identifier, and waits for it.
    private func notification(_ title: String, on device: String) async throws -> DeviceNotification {
        let agent = try stage.agent(of: device)
        var shown: [DeviceNotification] = []
        let found = try await ProcessWait.value(within: .seconds(5)) {
            shown = try await agent.notifications(of: device)
            return shown.last { $0.title == title || $0.id.rawValue == title }
        }
        if let found { return found }
        let titles = shown.map { $0.title ?? $0.id.rawValue }
        let has = titles.isEmpty ? "it has none" : "it has: \(titles.joined(separator: ", "))"
        throw StepFailure(
            "\(device) has no notification '\(title)'; \(has)",
            explanation: try await log(of: title, on: device)
        )
    }

    private func open(activity: String, on device: String) async throws -> StepAnswer {
        let agent = try stage.agent(of: device)
        let offers = try await agent.activities(on: device, atLeast: 1)
        let found = offers.last { $0.activity.title == activity || $0.activity.activityType == activity }
        guard let found else {
            let titles = offers.map { $0.activity.title ?? $0.activity.activityType }
            throw StepFailure(
                "\(device) offers no activity '\(activity)'; it offers: "
                    + (titles.isEmpty ? "none" : titles.joined(separator: ", "))
            )
        }
        return StepAnswer(try await agent.continueActivity(found.id, on: device))
    }

    private func handOff(_ request: HandoffRequest) async throws -> StepAnswer {
        let token = try stage.token(of: request.to)
        let agent = try stage.agent(of: request.device)
        let scene = request.scene
        let handed = try await agent.handOff(request.app, scene, to: token, from: request.device)
        note(sentTo: [request.to])
        try await settle()
        var answer = StepAnswer(handed)
        answer.summary = handed.activity.title ?? handed.activity.activityType
        return answer
    }

    /// Waits until the attached apps of a device have taken their activations.
    private func waitUntilActivationsAreTaken(on device: String) async throws {
        let attached = Set(appProcesses.keys.filter { $0.device == device }.map(\.app))
        guard !attached.isEmpty else { return }
        let agent = try stage.agent(of: device)
        try await ProcessWait.orFail(with: "an app on \(device) did not take the activation of its scene") {
            try await agent.apps(of: device).allSatisfy { !attached.contains($0.app) || $0.activations == 0 }
        }
    }
}

// MARK: - Apps, commands and APIs

extension ScenarioRun {
    private func control(_ control: AppControl) async throws -> StepAnswer {
        let device = control.device
        if let file = control.attach {
            try await attach(file, to: device)
        } else if let app = control.kill {
            guard let process = appProcesses.removeValue(forKey: AppPlace(device: device, app: app)) else {
                throw StepFailure("no process of \(app) is attached to \(device)")
            }
            try await process.end(.kill)
        } else if let url = control.view {
            try await show(url, control)
        }
        return StepAnswer()
    }

    /// Runs an app as a process, which an app file describes, or which only takes its activations.
    private func attach(_ file: String, to device: String) async throws {
        let described = ScenarioLoader.path(file, besides: scenario.file)
        let isFile = FileManager.default.fileExists(atPath: described)
        let path =
            isFile
            ? described
            : try stage.workspace.write("{\"bundleIdentifier\": \"\(file)\", \"scenes\": []}\n", to: "\(file).json")
        guard let name = try isFile ? ScenarioText(file: path).root["bundleIdentifier"]?.scalar?.string : file else {
            throw StepFailure("\(path): an app file needs 'bundleIdentifier'")
        }
        let place = AppPlace(device: device, app: BundleIdentifier(rawValue: name))
        let agent = try stage.agent(of: device)
        let installed = try await agent.apps(of: device)
        guard isFile || installed.contains(where: { $0.app == place.app }) else {
            throw StepFailure("'\(file)' is neither an app file next to the scenario nor an app of \(device)")
        }
        try await appProcesses.removeValue(forKey: place)?.end(.kill)
        appProcesses[place] = supervisor.start(
            "waypost",
            ["app", "run", "--agent", agent.url, "--app", path, "--device", device, "--format", "jsonl"],
            name: "the app \(name) on \(device)",
            log: stage.workspace.log(of: "app-\(name)-\(device)")
        )
        try await ProcessWait.orFail(with: "the app \(name) did not attach to \(device)") {
            try await agent.apps(of: device).contains { $0.app == place.app && $0.isRunning }
        }
        try await waitUntilActivationsAreTaken(on: device)
    }

    /// Shows the content of a link for a time.
    private func show(_ url: String, _ control: AppControl) async throws {
        let app = try app(of: control.device, given: control.app)
        let preferences = AttributionPreferences(displayContext: control.context ?? .summary)
        let view = try await attributionView(of: url, in: app, on: control.device, preferences).view
        let process = AppClient(http, try await stage.agent(of: control.device).credential(of: app, on: control.device))
        try await process.attach(view)
        if let time = control.for.flatMap(DurationText.milliseconds), time > 0 { try await advance(by: time) }
        try await process.detach(view)
        if control.finishes == true { try await process.finish(url) }
        try await process.release(view)
    }

    /// The longest time that a command may take, if the scenario gives none, in milliseconds.
    private static let standardCommandTime = 60_000

    /// Runs a shell command; what it sends is waited for.
    private func run(_ command: String, expecting expectation: Expectation?) async throws -> StepAnswer {
        try await stage.gateway.resetSender()
        commands += 1
        let folder = (scenario.file as NSString).deletingLastPathComponent
        let ended = try await ShellCommand(
            text: command,
            folder: folder.isEmpty ? "." : folder,
            environment: try await commandEnvironment(),
            log: stage.workspace.log(of: "command-\(commands)"),
            limit: .milliseconds(expectation?.within.flatMap(DurationText.milliseconds) ?? Self.standardCommandTime)
        ).run(in: groups)
        var answer = StepAnswer(ended)
        answer.command = ended
        answer.summary = ended.exit == 0 ? nil : "exit \(ended.exit)"
        if ended.exit != 0, expectation?.exit == nil {
            throw StepFailure(
                "the command ended with status \(ended.exit)",
                explanation: "It printed:\n\(ended.output)"
            )
        }
        noteSentToAll()
        try await settle()
        return answer
    }

    /// The environment of commands: the URLs and tokens of everything that runs.
    private func commandEnvironment() async throws -> [String: String] {
        let urls = stage.urls
        var environment = ["WAYPOST_SERVICE": urls.service]
        environment["WAYPOST_PROVIDER"] = urls.provider
        environment["WAYPOST_PROVIDER_PLAINTEXT"] = urls.providerPlaintext
        environment["WAYPOST_CA"] = urls.authority
        environment["WAYPOST_NAMESPACE"] = stage.namespace?.rawValue ?? "default"
        environment["WAYPOST_TOKEN"] = scenario.deviceNames.first.flatMap { stage.tokens[$0]?.rawValue }
        for device in scenario.deviceNames {
            let name = String(device.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
            environment["WAYPOST_TOKEN_\(name)"] = stage.tokens[device]?.rawValue
            if stage.isRunning(device) { environment["WAYPOST_CONTROL_\(name)"] = try stage.agent(of: device).url }
        }
        return environment
    }

    private func call(_ call: APICall) async throws -> StepAnswer {
        let isGateway = call.at == "gateway"
        let calls = isGateway ? stage.service : JSONCalls(http, base: try stage.agent(of: call.at).url)
        let prefix = call.path.hasPrefix("/") ? "" : isGateway ? "/" : "/v1/devices/\(PathText.escaped(call.at))/"
        let path = prefix + call.path
        var answer = StepAnswer()
        switch call.method ?? "GET" {
        case "POST": answer.document = try await calls.post(path, call.body ?? .object([:]))
        case "PUT": answer.document = try await calls.put(path, call.body ?? .object([:]))
        case "DELETE": try await calls.delete(path)
        default: answer.document = try await calls.get(path)
        }
        noteSentToAll()
        try await settle()
        return answer
    }

    /// Returns the app that a step means: the given one, or the only one with Shared with You.
    func app(of device: String, given app: BundleIdentifier?) throws(StepFailure) -> BundleIdentifier {
        if let app { return app }
        let key = stage.key(of: device)
        let apps = scenario.devices.first { $0.key == key }?.description.apps.filter(\.sharedWithYou) ?? []
        guard apps.count == 1, let only = apps.first else {
            throw StepFailure("\(device) has \(apps.count) apps with sharedWithYou; name the one with 'app'")
        }
        return only.bundleIdentifier
    }
}
