internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import WaypostSchema

/// One run of a scenario: it performs the steps in order, and checks what they expect.
final class ScenarioRun {
    /// A notification that the scenario sent.
    struct Sent: Sendable {
        var id: NotificationID
        var device: String
        var title: String
    }

    /// An app on a device.
    struct AppPlace: Hashable {
        var device: String
        var app: BundleIdentifier
    }

    /// Something that must not happen, with the step that says so.
    struct Ban: Sendable {
        var step: Step
        var device: String
        var app: BundleIdentifier?
        var never: ExpectedNever

        /// The number of journal entries at the step.
        var after: Int
    }

    let http: HTTPClient
    let supervisor: ProcessSupervisor
    let groups: ProcessGroups
    var stage: Stage
    var now: Timestamp

    private var identifiers: SeededIdentifiers
    private var isGatewayRunning = true
    private var offline: Set<String> = []
    private var lowPower: Set<String> = []

    /// The devices to which something was sent since they last had everything.
    private var unsettled: Set<String> = []

    /// The number of commands that were run.
    var commands = 0

    var sent: [Sent] = []
    var lastSent: [Sent] = []
    var messages: [String: [Message]] = [:]
    var handles: [String: [String: Handle]] = [:]
    var presented: [String: PresentedConversation] = [:]
    var menus: [String: DisambiguationMenu] = [:]
    var appProcesses: [AppPlace: SupervisedProcess] = [:]
    private var channels: [String: ChannelID] = [:]

    /// The devices that the scenario subscribed to each channel.
    var subscribers: [String: [String]] = [:]

    private var bans: [Ban] = []

    /// The longest time in which a connected device acknowledges nothing of what was sent to it.
    private static let acknowledgementTime = Duration.seconds(10)

    /// The scenario, with its devices.
    var scenario: Scenario {
        stage.scenario
    }

    /// Begins a run with processes that are ready.
    init(
        _ stage: Stage,
        _ supervisor: ProcessSupervisor,
        _ groups: ProcessGroups,
        _ http: HTTPClient
    ) {
        self.groups = groups
        self.stage = stage
        self.supervisor = supervisor
        self.http = http
        now = stage.start
        identifiers = SeededIdentifiers(seed: stage.scenario.seed)
        for device in stage.scenario.devices {
            for name in device.names {
                if device.description.lowPowerMode { lowPower.insert(name) }
                for contact in device.description.contacts ?? [] { handles[name, default: [:]].add(contact) }
            }
        }
    }

    /// Turns Airplane Mode on for the devices that are described so.
    func begin() async throws {
        for device in scenario.devices where device.description.airplaneMode {
            for name in device.names { try await setNetwork(of: name, isOn: false) }
        }
    }

    /// Learns the contacts of a device, and whether it is offline or in Low Power Mode, after changes that no step made.
    func learn(_ device: String, _ description: DeviceDescription) {
        for contact in description.contacts ?? [] { handles[device, default: [:]].add(contact) }
        note(.setting(.airplaneModeSet(isOn: description.airplaneMode)), on: device)
        note(.setting(.lowPowerModeSet(isOn: description.lowPowerMode)), on: device)
    }

    private func note(_ event: DeviceEvent, on device: String) {
        switch event {
        case .setting(.airplaneModeSet(let isOn)): if isOn { offline.insert(device) } else { offline.remove(device) }
        case .setting(.lowPowerModeSet(let isOn)): if isOn { lowPower.insert(device) } else { lowPower.remove(device) }
        default: break
        }
    }

    /// Resets a device to a snapshot, or to its description.
    func reset(_ device: String, to snapshot: String?) async throws {
        let agent = try stage.agent(of: device)
        try await agent.reset(device, to: snapshot)
        if snapshot == nil { try await stage.completeAfterReset(device) }
        learn(device, try await agent.description(of: device))
        messages[device] = try await agent.messages(on: device, atLeast: 0)
        presented[device] = nil
        menus[device] = nil
        note(sentTo: [device])
        try await settle()
    }

    /// Performs a step, and checks what it expects.
    ///
    /// - Returns: the answer of its action.
    /// - Throws: `StepFailure`, or the error of a process.
    func perform(_ step: Step) async throws -> StepAnswer {
        do {
            let answer = try await step.action.mapAsync { try await perform($0, expecting: step.expectation) }
            if let expectation = step.expectation {
                try await check(expectation, of: step, answer ?? StepAnswer())
            }
            return answer ?? StepAnswer()
        } catch let error as StepFailure {
            throw error
        } catch {
            // Calls throw other errors when the run is canceled.
            try Task.checkCancellation()
            throw StepFailure("\(error)")
        }
    }

    /// Waits until everything has arrived, and checks what must never have happened.
    ///
    /// - Throws: `StepFailure`, with the step that forbids it.
    func finish() async throws -> (Step, StepFailure)? {
        noteSentToAll()
        try await settle()
        for ban in bans {
            if let failure = try await violation(of: ban) { return (ban.step, failure) }
        }
        return nil
    }

    /// Remembers something that must not happen from now on.
    func forbid(_ never: ExpectedNever, _ step: Step, _ device: String, _ app: BundleIdentifier?) async throws {
        let after = try await stage.agent(of: device).journalLength(of: device)
        bans.append(Ban(step: step, device: device, app: app, never: never, after: after))
    }

    /// The virtual time since the start, in milliseconds.
    var elapsed: Int {
        now.rawValue - stage.start.rawValue
    }
}

extension Optional {
    /// Returns the result of `transform`, or `nil` if there is no value.
    fileprivate func mapAsync<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let value = self else { return nil }
        return try await transform(value)
    }
}

extension [String: Handle] {
    /// Files the first handle of a contact under its identifier and its names.
    mutating func add(_ contact: Contact) {
        guard let handle = contact.handles.first else { return }
        for name in [contact.id.rawValue, contact.givenName, contact.nickname].compactMap({ $0 }) {
            self[name] = handle
        }
    }
}

// MARK: - Delivery

extension ScenarioRun {
    /// Marks devices to which something was sent.
    func note(sentTo devices: some Sequence<String>) {
        unsettled.formUnion(devices)
    }

    /// Marks all devices.
    func noteSentToAll() {
        unsettled.formUnion(scenario.deviceNames)
    }

    /// Returns the next generated identifier.
    func nextIdentifier() -> NotificationID {
        identifiers.next()
    }

    /// Waits until every connected device has acknowledged what was sent to it.
    ///
    /// - Throws: `StepFailure` that names the notification, with its log.
    func settle() async throws {
        guard isGatewayRunning else { return }
        for device in scenario.deviceNames where unsettled.contains(device) && isReachable(device) {
            try await settle(device)
            if !lowPower.contains(device) { unsettled.remove(device) }
        }
    }

    /// Returns whether a device is connected to the gateway.
    private func isReachable(_ device: String) -> Bool {
        isGatewayRunning && !offline.contains(device) && stage.isRunning(device)
    }

    private func settle(_ device: String) async throws {
        var filter = NotificationFilter()
        filter.token = try stage.token(of: device)
        filter.states = [.accepted, .stored, .sent]
        let isLow = lowPower.contains(device)
        var left: [NotificationRecord] = []
        var before: [NotificationRecord]
        repeat {
            before = left
            // The wait ends with each change, so a device that is only slow is waited for.
            _ = try await ProcessWait.value(within: Self.acknowledgementTime) {
                left = try await loggedNotifications(filter, pages: 1).filter { !isLow || ($0.priority ?? 10) == 10 }
                return left.map(\.sequence) != before.map(\.sequence) || left.isEmpty ? () : nil
            }
        } while !left.isEmpty && left.map(\.sequence) != before.map(\.sequence)
        guard let first = left.min(by: { $0.sequence < $1.sequence }) else { return }
        let title = title(of: first.id)
        throw StepFailure(
            "\(device) is connected, but did not acknowledge '\(title)'"
                + (left.count == 1 ? "" : " and \(left.count - 1) other notifications"),
            explanation: "The gateway's log of '\(title)':\n" + Self.log(of: first)
        )
    }

    /// Returns the title of a notification that the scenario sent, or else its identifier.
    func title(of id: NotificationID?) -> String {
        sent.first { $0.id == id }?.title ?? id?.rawValue ?? "a notification"
    }
}

// MARK: - Processes and the clock

extension ScenarioRun {
    /// Kills the gateway or the agent of a device.
    func kill(_ process: String) async throws {
        if process == "gateway" {
            try await stage.endGateway(.kill)
            isGatewayRunning = false
            return
        }
        let names = stage.names(inAgentOf: process)
        try await endApps(on: names)
        let sessions = try await openSessions()
        let own = stage.isRunning(process) ? names.count { !offline.contains($0) } : 0
        try await stage.endAgent(of: process, .kill)
        try await waitForSessions(atMost: sessions - own)
    }

    /// Starts the gateway or the agent of a device again.
    func restart(_ process: String) async throws {
        if process == "gateway" {
            try await stage.endGateway(.terminate)
            try await stage.startGateway()
            isGatewayRunning = true
            for device in scenario.devices where stage.isRunning(device.key) {
                try await stage.waitUntilConnected(device.key, except: offline)
            }
            noteSentToAll()
        } else {
            try await endApps(on: stage.names(inAgentOf: process))
            try await stage.endAgent(of: process, .terminate)
            try await stage.startAgent(of: process)
            try await stage.waitUntilConnected(process, except: offline)
            note(sentTo: stage.names(inAgentOf: process))
        }
        try await settle()
    }

    /// Ends the processes of apps on devices, before the agent that they use ends.
    private func endApps(on devices: [String]) async throws {
        for (place, process) in appProcesses where devices.contains(place.device) {
            try await process.end(.kill)
            appProcesses[place] = nil
        }
    }

    /// Turns Airplane Mode on or off, and waits until the gateway has noticed it.
    func setNetwork(of device: String, isOn: Bool) async throws {
        let sessions = try await openSessions()
        let wasOffline = offline.contains(device)
        try await apply(.setting(.airplaneModeSet(isOn: !isOn)), to: device)
        if isOn {
            try await stage.waitUntilConnected(device, except: offline)
            note(sentTo: [device])
            try await settle()
        } else if !wasOffline {
            try await waitForSessions(atMost: sessions - 1)
        }
    }

    /// Turns Low Power Mode on or off, and waits until the gateway has noticed it.
    func setPower(of device: String, isLow: Bool) async throws {
        try await apply(.setting(.lowPowerModeSet(isOn: isLow)), to: device)
        guard isReachable(device) else { return }
        let (service, token) = (stage.service, try stage.token(of: device))
        try await ProcessWait.orFail(with: "the gateway was not told the power mode of \(device)") {
            let registered: RegisteredDevice = try await service.get("/v1/devices/\(token)")
            return registered.powerConstrained == isLow
        }
        note(sentTo: [device])
        try await settle()
    }

    /// Returns the number of open event streams of the gateway.
    private func openSessions() async throws -> Int {
        guard isGatewayRunning else { return 0 }
        let text = try await stage.service.text("/metrics")
        let line = text.split(separator: "\n").first { $0.hasPrefix("waypost_sessions_open ") }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }

    /// Waits until the gateway has closed streams; other users of a given gateway may open some meanwhile.
    private func waitForSessions(atMost sessions: Int) async throws {
        guard isGatewayRunning, sessions >= 0 else { return }
        _ = try await ProcessWait.value(within: .seconds(2)) { try await openSessions() <= sessions ? () : nil }
    }

    /// Moves the clock of the gateway and of all devices.
    func advance(by milliseconds: Int) async throws {
        try await settle()
        guard stage.hasManualClock else {
            throw StepFailure("the clock of the gateway is the machine's; start the gateway with '--clock manual'")
        }
        now = try await stage.gateway.advanceClock(ClockAdvance(by: milliseconds)).now
    }

    /// Applies an event to a device.
    ///
    /// - Throws: `StepFailure` if it changes nothing.
    @discardableResult
    func apply(_ event: DeviceEvent, to device: String) async throws -> DeviceReaction {
        let reaction = try await stage.agent(of: device).apply(event, to: device)
        note(event, on: device)
        for effect in reaction.effects {
            switch effect {
            case .system(.eventIgnored(let ignored)):
                throw StepFailure("nothing happened: \(ignored.explanation)", ignored: ignored.reason)
            case .attribution(.conversationPresented(let conversation)):
                presented[device] = conversation
                menus[device] = nil
            case .attribution(.disambiguationPresented(let menu)): menus[device] = menu
            case .attribution(.contentReturned):
                presented[device] = nil
                menus[device] = nil
            default: break
            }
        }
        return reaction
    }

    /// Returns the identifier of a channel, which its first use creates.
    func channel(_ subscription: Subscription) async throws -> ChannelID {
        if let id = channels[subscription.channel] { return id }
        let client = try providerClient(http, stage.urls.providerPlaintext)
        let answer = try await client.createChannel(of: subscription.topic, storesMessages: subscription.stored ?? true)
        guard let id = answer.channel else {
            throw StepFailure(
                "the gateway did not create the channel: \(answer.reason?.rawValue ?? "\(answer.status)")"
            )
        }
        channels[subscription.channel] = id
        return id
    }

    /// Returns the identifier of a channel that exists.
    func channel(_ name: String) throws(StepFailure) -> ChannelID {
        guard let id = channels[name] else {
            throw StepFailure("there is no channel '\(name)' yet; a step 'subscribe' creates it")
        }
        return id
    }

    /// Returns a client of the provider API.
    func providerClient(_ http: HTTPClient, _ url: String?) throws(StepFailure) -> ProviderClient {
        guard let url else {
            throw StepFailure("the address of the provider API is not known; use --ready-file of the gateway")
        }
        return ProviderClient(http, url: url, namespace: stage.namespace)
    }
}
