internal import HashTreeCollections
internal import WaypostSchema

/// The gates, one by one; the rules behind them are those of `docs/consent.md`.
///
/// `pins` are always those of the link that is asked about, from the earliest to the latest.
extension ConsentChoices {
    /// Returns what decides of sharing everywhere: being off goes before a pin, unless the rules say "always".
    func everywhereGate(_ pins: [Pin]) -> GateFinding {
        guard let off = sharing.offEverywhere else { return .onEverywhere }
        guard rules.pinnedIsAlwaysAvailable, let pin = pins.last else { return .offEverywhere(off) }
        return .pinnedAlways(pin)
    }

    /// Returns what decides of sharing with the app: the later of turning it off and of a pin in any conversation.
    func appGate(_ question: ConsentQuestion, _ pins: [Pin]) -> GateFinding {
        guard let off = sharing.off(question.app) else { return .onForApp }
        guard let pin = pins.last else { return .offForApp(off) }
        if pin.moment > off { return .pinnedAfterOffForApp(pin) }
        return rules.pinnedIsAlwaysAvailable ? .pinnedAlways(pin) : .offForApp(off)
    }

    /// Returns what decides of sharing from the conversation: the later of turning it off and of a pin in it.
    func conversationGate(_ question: ConsentQuestion, _ pins: [Pin]) -> GateFinding {
        guard let off = sharing.off(question.conversation) else { return .onInConversation }
        guard let pin = pins.last(where: { $0.conversation == question.conversation }) else {
            return .offInConversation(off)
        }
        if pin.moment > off { return .pinnedAfterOffInConversation(pin) }
        return rules.pinnedIsAlwaysAvailable ? .pinnedAlways(pin) : .offInConversation(off)
    }

    /// Returns what decides of permission: a pin is permission for its link, automatic sharing for all of an app.
    func permissionGate(_ question: ConsentQuestion, _ pins: [Pin]) -> GateFinding {
        if let pin = pins.last { return .pinned(pin) }
        guard let choice = automatic[question.app] else { return .noPermission(turnedOff: nil) }
        return choice.isOn ? .automaticSharing(choice.moment) : .noPermission(turnedOff: choice.moment)
    }

    /// Returns what decides of a removal: the later of it and of a pin in any conversation.
    func removalGate(_ question: ConsentQuestion, _ pins: [Pin]) -> GateFinding {
        guard let removal = removals[question.key] else { return .notRemoved }
        guard let pin = pins.last, pin.moment > removal else { return .removed(removal) }
        return .pinnedAfterRemoval(pin)
    }
}
