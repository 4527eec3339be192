internal import HashTreeCollections
internal import WaypostSchema

/// The findings of the gates, one by one; `docs/consent.md` documents their rules.
///
/// `pins` are the pins of the link in question, the earliest first.
extension ConsentChoices {
    /// Returns the finding about sharing everywhere: a pin overrides *off*, if the rules say "always".
    func everywhereFinding(_ pins: [Pin]) -> GateFinding {
        guard let offMoment = sharing.offEverywhere else { return .onEverywhere }
        guard rules.pinnedIsAlwaysAvailable, let pin = pins.last else { return .offEverywhere(offMoment) }
        return .pinnedAlways(pin)
    }

    /// Returns the finding about sharing with the app: a pin in any conversation overrides *off* if it is later, or if
    /// the rules say "always".
    func appFinding(_ question: ConsentQuestion, _ pins: [Pin]) -> GateFinding {
        guard let offMoment = sharing.offApps[question.app] else { return .onForApp }
        guard let pin = pins.last else { return .offForApp(offMoment, earlierPin: nil) }
        if pin.moment > offMoment { return .pinnedAfterOffForApp(pin) }
        return rules.pinnedIsAlwaysAvailable ? .pinnedAlways(pin) : .offForApp(offMoment, earlierPin: pin)
    }

    /// Returns the finding about sharing from the conversation: a pin in it overrides *off* if it is later, or if the
    /// rules say "always".
    func conversationFinding(_ question: ConsentQuestion, _ pins: [Pin]) -> GateFinding {
        guard let offMoment = sharing.offConversations[question.conversation] else { return .onInConversation }
        guard let pin = pins.last(where: { $0.conversation == question.conversation }) else {
            return .offInConversation(offMoment, earlierPin: nil)
        }
        if pin.moment > offMoment { return .pinnedAfterOffInConversation(pin) }
        return rules.pinnedIsAlwaysAvailable ? .pinnedAlways(pin) : .offInConversation(offMoment, earlierPin: pin)
    }

    /// Returns the finding about permission: a pin permits its link, and automatic sharing permits the links for an app
    /// that come after it was turned on, or all if the rules say so.
    func permissionFinding(_ question: ConsentQuestion, _ pins: [Pin]) -> GateFinding {
        if let pin = pins.last { return .pinned(pin) }
        guard let choice = automatic[question.app] else { return .noPermission(turnedOff: nil) }
        guard choice.isOn else { return .noPermission(turnedOff: choice.moment) }
        guard !rules.automaticSharingIncludesEarlier, let eventNumber = question.eventNumber,
            eventNumber < choice.moment.eventNumber
        else { return .automaticSharing(choice.moment) }
        return .beforeAutomaticSharing(choice.moment)
    }

    /// Returns the finding about a removal: of the removal and a pin in any conversation, the later one decides.
    func removalFinding(_ question: ConsentQuestion, _ pins: [Pin]) -> GateFinding {
        guard let removal = removals[question.key] else { return .notRemoved }
        guard let pin = pins.last, pin.moment > removal else { return .removed(removal) }
        return .pinnedAfterRemoval(pin)
    }
}
