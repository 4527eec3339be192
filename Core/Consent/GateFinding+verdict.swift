internal import WaypostSchema

extension GateFinding {
    /// Returns the finding as the schema has it, in words.
    func verdict(on question: ConsentQuestion) -> ConsentVerdict {
        ConsentVerdict(
            rule: rule,
            isAllowed: isAllowed,
            record: record(on: question),
            explanation: explanation(on: question)
        )
    }

    /// The choice that decided; `nil` where it is what holds without one.
    private func record(on question: ConsentQuestion) -> ConsentRecord? {
        switch self {
        case .onEverywhere, .onForApp, .onInConversation, .notRemoved, .noPermission(turnedOff: nil): nil
        case .offEverywhere(let off): .off(.everywhere, off)
        case .offForApp(let off): .off(.app(question.app), off)
        case .offInConversation(let off): .off(.conversation(question.conversation), off)
        case .pinned(let pin), .pinnedAlways(let pin), .pinnedAfterOffForApp(let pin): ConsentRecord(pin)
        case .pinnedAfterOffInConversation(let pin), .pinnedAfterRemoval(let pin): ConsentRecord(pin)
        case .automaticSharing(let on): .automaticSharing(question.app, isOn: true, on)
        case .noPermission(let off?): .automaticSharing(question.app, isOn: false, off)
        case .removed(let removal): ConsentRecord(kind: .removal, at: removal.at)
        }
    }

    /// Why the gate lets the link through or not, for a person.
    private func explanation(on question: ConsentQuestion) -> String {
        switch self {
        case .onEverywhere: "sharing is on everywhere"
        case .offEverywhere: "sharing is off everywhere"
        case .pinnedAlways: "sharing is off, but the link is pinned, and pinned links are set to be available always"
        case .onForApp: "sharing is on for \(question.app)"
        case .offForApp: "sharing is off for \(question.app), and the link was not pinned since"
        case .pinnedAfterOffForApp: "sharing is off for \(question.app), but the link was pinned since"
        case .onInConversation: "sharing is on for the conversation"
        case .offInConversation: "sharing is off for the conversation, and the link was not pinned in it since"
        case .pinnedAfterOffInConversation: "sharing is off for the conversation, but the link was pinned in it since"
        case .pinned: "the link is pinned, which is permission for it"
        case .automaticSharing: "automatic sharing is on for \(question.app)"
        case .noPermission(turnedOff: nil):
            "the link is not pinned, and automatic sharing was never turned on for \(question.app)"
        case .noPermission: "the link is not pinned, and automatic sharing was turned off for \(question.app)"
        case .notRemoved: "the link is not removed"
        case .removed: "the link was removed, and not pinned since"
        case .pinnedAfterRemoval: "the link was removed, but pinned since"
        }
    }
}

extension ConsentRecord {
    /// The choice to pin a link.
    fileprivate init(_ pin: Pin) {
        self.init(kind: .pin, conversation: pin.conversation, message: pin.message, at: pin.moment.at)
    }

    /// Returns the choice to turn sharing off.
    fileprivate static func off(_ scope: SharingScope, _ moment: ChoiceMoment) -> Self {
        Self(kind: .sharing, scope: scope, isOn: false, at: moment.at)
    }

    /// Returns the choice to turn automatic sharing on or off.
    fileprivate static func automaticSharing(_ app: BundleIdentifier, isOn: Bool, _ moment: ChoiceMoment) -> Self {
        Self(kind: .automaticSharing, app: app, isOn: isOn, at: moment.at)
    }
}
