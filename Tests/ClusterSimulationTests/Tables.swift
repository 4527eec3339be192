/// A notification as the checker knows it.
///
/// A sequence does not identify it: after a fail-over, another notification may get the same one.
struct Notification: Hashable, CustomStringConvertible {
    /// The identity, never used again.
    var identity: Int

    /// The agent that it is for.
    var agent: Int

    /// Whether it is dropped if there is no stream.
    var isTransient: Bool

    /// The time at which it expires, if it does.
    var expiration: Int?

    /// The sequence in the inbox.
    var sequence = 0

    /// Returns whether it must no longer be delivered at a time.
    func isExpired(at now: Int) -> Bool {
        expiration.map { $0 <= now } ?? false
    }

    var description: String {
        "\(isTransient ? "transient " : "")#\(identity) at \(sequence) for agent \(agent)"
    }
}

/// The committed rows of the database, as far as delivery needs them.
struct Tables {
    /// The present session of an agent.
    struct Session {
        var gateway: Int
        var epoch: Int

        /// The last sequence from another gateway that was perhaps not sent.
        var late: Int?
    }

    /// A transient notification that has not ended.
    struct Flight {
        var notification: Notification

        /// The gateway whose stream has it, or must read it.
        var gateway: Int
        var isUnread: Bool
    }

    /// The way in which a notification has ended.
    enum End {
        case acknowledged
        case dropped
        case collapsed
        case expired
    }

    /// The gateway of a process, and the number of its transactions that were committed.
    struct Handle {
        var gateway: Int
        var commits = 0
    }

    /// The number of beats of each gateway.
    var beats: [Int: Int] = [:]

    /// The handles by number.
    var handles: [Int: Handle] = [:]

    /// The sessions by agent.
    var sessions: [Int: Session] = [:]

    /// The notifications in the inboxes, by sequence.
    var items: [Int: Notification] = [:]

    /// The transient notifications by sequence.
    var flights: [Int: Flight] = [:]

    /// The ends of each notification, by identity.
    var ends: [Int: [End]] = [:]
}

/// Queries and changes of more than one value.
extension Tables {
    /// Whether the storage of an agent's app is `apns`: an agent without a session keeps only the newest notification.
    static func keepsOnlyNewest(_ agent: Int) -> Bool {
        agent.isMultiple(of: 2)
    }

    /// Returns the inbox of an agent, in order.
    func inbox(of agent: Int) -> [Notification] {
        items.values.filter { $0.agent == agent }.sorted { $0.sequence < $1.sequence }
    }

    /// Returns the notifications in the inboxes that have expired, in order.
    func expired(at now: Int) -> [Notification] {
        items.values.filter { $0.isExpired(at: now) }.sorted { $0.sequence < $1.sequence }
    }

    /// Returns the transient notifications that an agent's stream has yet to read, in order.
    func unread(of agent: Int) -> [Notification] {
        flights.values.filter { $0.isUnread && $0.notification.agent == agent }.map(\.notification)
            .sorted { $0.sequence < $1.sequence }
    }

    /// Returns the transient notifications that an ended gateway had read, in order.
    var flightsOfEndedGateways: [Notification] {
        flights.values.filter { !$0.isUnread && beats[$0.gateway] == nil }.map(\.notification)
            .sorted { $0.sequence < $1.sequence }
    }

    /// Returns whether a notification is or was here.
    func hasKnown(_ notification: Notification) -> Bool {
        ends[notification.identity] != nil || items[notification.sequence]?.identity == notification.identity
            || flights[notification.sequence]?.notification.identity == notification.identity
    }

    /// Adds a notification.
    ///
    /// - Parameters:
    ///   - notification: the notification.
    ///   - gateway: the gateway of its agent's session; `nil` if there is none.
    ///   - isUnread: whether the stream has to read it.
    mutating func insert(_ notification: Notification, for gateway: Int?, isUnread: Bool) {
        if !notification.isTransient {
            items[notification.sequence] = notification
        } else if let gateway {
            flights[notification.sequence] = Flight(notification: notification, gateway: gateway, isUnread: isUnread)
        } else {
            ends[notification.identity, default: []].append(.dropped)
        }
    }

    /// Removes a notification from its inbox.
    mutating func removeItem(_ sequence: Int, as end: End) {
        guard let item = items.removeValue(forKey: sequence) else { return }
        ends[item.identity, default: []].append(end)
    }

    /// Removes a transient notification.
    mutating func removeFlight(_ sequence: Int, as end: End) {
        guard let flight = flights.removeValue(forKey: sequence) else { return }
        ends[flight.notification.identity, default: []].append(end)
    }
}
