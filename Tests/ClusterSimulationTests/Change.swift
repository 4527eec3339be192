/// A change that a gateway's writer makes in the database.
enum Change {
    case append([Notification])
    case open(agent: Int, connection: Int)
    case close(agent: Int, epoch: Int, ends: [Settlement])
    case acknowledge(agent: Int, [Notification])
    case settle([Settlement])

    /// Marks transient notifications of a page as read.
    case take(page: Int, [Int])

    /// Settles a part of what ended gateways have left.
    case cleanUpAfterEndedGateways

    /// Removes the notifications that have expired at a time.
    case sweep(at: Int)

    /// Makes the process a new gateway, unless it has become one in the meantime.
    case joinAgain(replacing: Int)
}

/// The end of a transient notification that a gateway reports.
struct Settlement {
    var notification: Notification
    var end: Tables.End
}

/// An effect on a gateway after the commit of its transaction.
enum Effect {
    /// Passes notifications to streams.
    case handOver([Notification])

    /// Makes streams read their inboxes.
    case nudge([Int])
    case tellOthers(Event)
    case opened(agent: Int, epoch: Int, connection: Int)

    /// Reports the ends of a session that was not current.
    case outdated([Settlement])
    case acknowledged(agent: Int, [Notification])

    /// Makes streams forget notifications that have left their inboxes.
    case forget([Notification])
    case taken(page: Int, [Int])
    case cleanedUpAfterEndedGateways(count: Int)
    case rejoined(gateway: Int)

    /// Whether the gateway carries it out although the caller of the change was told that the outcome is unknown.
    var needsNoCaller: Bool {
        switch self {
        case .handOver, .nudge, .tellOthers: true
        default: false
        }
    }
}

/// An event that a gateway gets from another one, or from its own store.
enum Event {
    case nudge([Int])
    case sessionOpened(agent: Int, epoch: Int)
    case removed(agent: Int, [Int])

    /// Sessions of this gateway have notifications up to these sequences.
    case behind([(agent: Int, sequence: Int)])

    /// Events may be missing.
    case gap

    /// Others took this gateway for dead, and it has become a new one.
    case expelled
}
