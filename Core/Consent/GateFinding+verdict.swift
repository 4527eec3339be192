internal import WaypostSchema

extension GateFinding {
    /// Returns the finding as a verdict of the schema, with its explanation.
    func verdict(on question: ConsentQuestion) -> ConsentVerdict {
        ConsentVerdict(
            rule: rule,
            isAllowed: isAllowed,
            record: record(on: question),
            explanation: explanation(on: question)
        )
    }

    /// Returns the choice that decided; `nil` if the default applies.
    private func record(on question: ConsentQuestion) -> ConsentRecord? {
        switch self {
        case .onEverywhere, .onForApp, .onInConversation, .notRemoved, .noPermission(turnedOff: nil): nil
        case .offEverywhere(let moment): .off(.everywhere, moment)
        case .offForApp(let moment, _): .off(.app(question.app), moment)
        case .offInConversation(let moment, _): .off(.conversation(question.conversation), moment)
        case .pinned(let pin), .pinnedAlways(let pin), .pinnedAfterOffForApp(let pin): ConsentRecord(pin)
        case .pinnedAfterOffInConversation(let pin), .pinnedAfterRemoval(let pin): ConsentRecord(pin)
        case .automaticSharing(let moment), .beforeAutomaticSharing(let moment):
            .automaticSharing(question.app, isOn: true, moment)
        case .noPermission(let moment?): .automaticSharing(question.app, isOn: false, moment)
        case .removed(let moment): ConsentRecord(kind: .removal, at: moment.at)
        }
    }

    /// Returns a human-readable explanation why the gate lets the link through or not.
    private func explanation(on question: ConsentQuestion) -> String {
        switch self {
        case .onEverywhere: "sharing is on everywhere"
        case .offEverywhere: "sharing is off everywhere"
        case .pinnedAlways: "sharing is off, but the link is pinned, and pinned links are always available"
        case .onForApp: "sharing is on for \(question.app)"
        case .offForApp(_, earlierPin: nil): "sharing is off for \(question.app), and the link is not pinned"
        case .offForApp: "sharing is off for \(question.app), and the link was pinned before that, not after it"
        case .pinnedAfterOffForApp: "sharing is off for \(question.app), but the link was pinned after that"
        case .onInConversation: "sharing is on for the conversation"
        case .offInConversation(_, earlierPin: nil):
            "sharing is off for the conversation, and the link is not pinned in it"
        case .offInConversation:
            "sharing is off for the conversation, and the link was pinned in it before that, not after it"
        case .pinnedAfterOffInConversation:
            "sharing is off for the conversation, but the link was pinned in it after that"
        case .pinned: "the link is pinned, which gives permission to share it"
        case .automaticSharing: "automatic sharing is on for \(question.app)"
        case .beforeAutomaticSharing:
            "the link is not pinned, and came before automatic sharing was turned on for \(question.app); pin it"
        case .noPermission(turnedOff: nil):
            """
            the link is not pinned, and automatic sharing was never turned on for \(question.app); pin it, or turn \
            that on for later links
            """
        case .noPermission:
            """
            the link is not pinned, and automatic sharing was turned off for \(question.app); pin it, or turn that on \
            for later links
            """
        case .notRemoved: "the link is not removed"
        case .removed: "the link was removed and has not been pinned since then"
        case .pinnedAfterRemoval: "the link was removed, but it was pinned after that"
        }
    }
}

extension ConsentRecord {
    /// Creates the record of a pin.
    fileprivate init(_ pin: Pin) {
        self.init(kind: .pin, conversation: pin.conversation, message: pin.message, at: pin.moment.at)
    }

    /// Returns the record of turning sharing off.
    fileprivate static func off(_ scope: SharingScope, _ moment: EventMoment) -> Self {
        Self(kind: .sharing, scope: scope, isOn: false, at: moment.at)
    }

    /// Returns the record of turning automatic sharing on or off.
    fileprivate static func automaticSharing(_ app: BundleIdentifier, isOn: Bool, _ moment: EventMoment) -> Self {
        Self(kind: .automaticSharing, app: app, isOn: isOn, at: moment.at)
    }
}
