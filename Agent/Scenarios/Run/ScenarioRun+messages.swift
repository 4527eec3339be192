internal import GatewayClient
internal import LocalProcesses
internal import TextReports
internal import WaypostSchema

extension ScenarioRun {
    /// Applies a message that arrives, or that the user sends.
    func apply(_ action: MessageAction) async throws -> StepAnswer {
        let device = action.device
        let handle = action.from.map { self[device].handles[$0] ?? Handle(rawValue: $0) }
        let earlierMessages = self[device].messages
        guard
            let conversation = action.conversation
                ?? (action.from ?? earlierMessages.last?.conversation.rawValue)
                .map(ConversationID.init(rawValue:))
        else { throw StepFailure("the message needs 'conversation' or 'from'") }
        let message = Message(
            id: action.id ?? MessageID(rawValue: "m\(earlierMessages.count + 1)"),
            conversation: conversation,
            sender: handle,
            text: action.text
        )
        let reaction = try await apply(.sharing(.messageReceived(message)), to: device)
        self[device].messages.append(message)
        return StepAnswer(reaction)
    }

    /// Returns the message of a link: the named one, the latest one with the link, or the latest one.
    func message(of reference: LinkReference) throws(StepFailure) -> MessageID {
        if let id = reference.message { return id }
        let messages = self[reference.device].messages
        let message = reference.link.map { link in messages.last { $0.text.contains(link) } } ?? messages.last
        guard let message else {
            let link = reference.link.map { " with the link \($0)" } ?? ""
            throw StepFailure("\(reference.device) got no message\(link) in this scenario; name it with 'message'")
        }
        return message.id
    }

    /// Taps an attribution view, an item of its menu, a conversation in the disambiguation menu, or Show More.
    func tap(_ tap: Tap) async throws -> StepAnswer {
        if let choice = tap.choose { return try await choose(choice, on: tap.device) }
        let link = tap.link ?? ""
        let app = try app(of: tap.device, named: tap.app)
        if tap.isOnShowMore {
            let event = DeviceEvent.attribution(.showMoreTapped(app, after: nil))
            return answer(try await applyInForeground(event, of: app, on: tap.device), on: tap.device)
        }
        let view = try await attributionView(of: link, in: app, on: tap.device).view
        let event: DeviceEvent =
            tap.item.map { .attribution(.menuItemChosen(app, view, $0, nil)) }
            ?? .attribution(.attributionTapped(app, view, nil))
        return answer(try await applyInForeground(event, of: app, on: tap.device), on: tap.device)
    }

    func attributionView(
        of link: String,
        in app: BundleIdentifier,
        on device: String,
        _ preferences: AttributionPreferences? = nil
    ) async throws -> AttributionView {
        let agent = try environment.agent(of: device)
        let appClient = AppClient(http, try await agent.credential(of: app, on: device))
        do {
            return try await appClient.attribution(AttributionRequest(url: link, preferences: preferences))
        } catch {
            let explanation = try await agent.explain(link, in: app, on: device).text
            throw StepFailure("\(app) on \(device) does not have the link \(link)", explanation: explanation)
        }
    }

    /// Applies an event that needs the app in the foreground, and opens the app first if necessary.
    private func applyInForeground(
        _ event: DeviceEvent,
        of app: BundleIdentifier,
        on device: String
    ) async throws -> DeviceReaction {
        do {
            return try await apply(event, to: device)
        } catch let failure as StepFailure where failure.ignoredReason == .notInForeground {
            _ = try await environment.agent(of: device).openApp(app, on: device)
            return try await apply(event, to: device)
        }
    }

    private func choose(_ choice: String, on device: String) async throws -> StepAnswer {
        guard let menu = self[device].menu else { throw StepFailure("\(device) shows no disambiguation menu") }
        let chosenItem = menu.choices.first { $0.title.withoutIsolates == choice || $0.conversation.rawValue == choice }
        guard let chosenItem else {
            let titles = menu.choices.map(\.title.withoutIsolates).joined(separator: ", ")
            throw StepFailure("the disambiguation menu has no '\(choice)'; it has: \(titles)")
        }
        let reaction = try await apply(.attribution(.conversationChosen(chosenItem.conversation)), to: device)
        return answer(reaction, on: device)
    }

    /// Replies in the conversation that is shown over the app, and waits until the gateway has the reply.
    func reply(_ reply: Reply) async throws -> StepAnswer {
        let device = reply.device
        if let link = reply.link {
            _ = try await tap(Tap(device: device, app: reply.app, link: link))
            if let conversation = reply.conversation { _ = try await choose(conversation, on: device) }
        }
        guard let conversation = self[device].presentedConversation else {
            let menu = self[device].menu.map { menu in
                "; its disambiguation menu has: \(menu.choices.map(\.title.withoutIsolates).joined(separator: ", "))"
            }
            throw StepFailure("\(device) shows no conversation to reply in\(menu ?? "; give 'link', or tap before")")
        }
        let number = self[device].messages.count + 1
        let id = MessageID(rawValue: "reply-\(device)-\(number)")
        let message = Message(id: id, conversation: conversation.conversation, text: reply.text)
        let agent = try environment.agent(of: device)
        let journalLength = try await agent.journalLength(of: device)
        let reaction = try await apply(.attribution(.replySent(message)), to: device)
        self[device].messages.append(message)
        self[device].presentedConversation = nil
        var answer = StepAnswer(reaction)
        for case .attribution(.messageSent(_, let recipients)) in reaction.effects {
            answer.summary = recipients.map(\.explanation).joined(separator: "; ")
            guard recipients.contains(where: { !$0.tokens.isEmpty }) else { continue }
            try await ProcessWait.untilTrue(orFailWith: "the gateway did not accept the reply") {
                try await agent.journal(of: device, after: journalLength).entries.contains { entry in
                    if case .attribution(.messageDelivered(id)) = entry.event { true } else { false }
                }
            }
        }
        markAllAsUnsettled()
        try await settle()
        return answer
    }

    private func answer(_ reaction: DeviceReaction, on device: String) -> StepAnswer {
        var answer = StepAnswer(reaction)
        for effect in reaction.effects {
            switch effect {
            case .attribution(.conversationPresented(let shown)): answer.conversationTitle = shown.title.withoutIsolates
            case .attribution(.disambiguationPresented(let menu)):
                answer.choices = menu.choices.map(\.title.withoutIsolates)
            default: break
            }
        }
        answer.summary = answer.conversationTitle ?? answer.choices?.joined(separator: ", ")
        return answer
    }
}

extension String {
    /// The text without the invisible characters that isolate names from the text around them.
    var withoutIsolates: String {
        filter { !("\u{2066}"..."\u{2069}").contains($0) }
    }
}
