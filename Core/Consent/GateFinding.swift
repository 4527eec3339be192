internal import WaypostSchema

/// The rule that decided at a gate, with the deciding choice.
///
/// It has no text: the explanation is built when the verdict is read.
enum GateFinding: Sendable, Equatable {
    case onEverywhere
    case offEverywhere(EventMoment)
    case onForApp
    case offForApp(EventMoment, earlierPin: Pin?)
    case pinnedAfterOffForApp(Pin)
    case onInConversation
    case offInConversation(EventMoment, earlierPin: Pin?)
    case pinnedAfterOffInConversation(Pin)
    case pinnedAlways(Pin)
    case pinned(Pin)
    case automaticSharing(EventMoment)
    case beforeAutomaticSharing(EventMoment)
    case noPermission(turnedOff: EventMoment?)
    case notRemoved
    case removed(EventMoment)
    case pinnedAfterRemoval(Pin)
}

extension GateFinding {
    /// Whether the gate lets the link through.
    var isAllowed: Bool {
        switch self {
        case .offEverywhere, .offForApp, .offInConversation, .noPermission, .beforeAutomaticSharing, .removed: false
        case .onEverywhere, .onForApp, .onInConversation, .automaticSharing, .notRemoved: true
        case .pinned, .pinnedAlways, .pinnedAfterOffForApp, .pinnedAfterOffInConversation, .pinnedAfterRemoval: true
        }
    }

    /// The rule that decided.
    var rule: ConsentRule {
        switch self {
        case .onEverywhere: .onEverywhere
        case .offEverywhere: .offEverywhere
        case .onForApp: .onForApp
        case .offForApp: .offForApp
        case .pinnedAfterOffForApp: .pinnedAfterOffForApp
        case .onInConversation: .onInConversation
        case .offInConversation: .offInConversation
        case .pinnedAfterOffInConversation: .pinnedAfterOffInConversation
        case .pinnedAlways: .pinnedAlways
        case .pinned: .pinned
        case .automaticSharing: .automaticSharing
        case .beforeAutomaticSharing: .beforeAutomaticSharing
        case .noPermission: .noPermission
        case .notRemoved: .notRemoved
        case .removed: .removed
        case .pinnedAfterRemoval: .pinnedAfterRemoval
        }
    }
}
