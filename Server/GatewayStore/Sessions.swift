package import PushRules
package import WaypostSchema

/// The number of a session of an agent: each session of the agent has a greater one than those before it.
///
/// At most one session of an agent is current, at one gateway. Calls for an older session change nothing.
package struct SessionEpoch: Hashable, Comparable, Sendable {
    /// The number.
    package var rawValue: Int

    /// Creates the epoch `rawValue`.
    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Returns whether the first session was opened before the second one.
    package static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A session to close, with what its stream has done.
package struct SessionClosing: Sendable, Equatable {
    /// The agent.
    package var agent: AgentID

    /// The epoch of the session.
    package var epoch: SessionEpoch

    /// For the log, the times and the number of writes to the stream, by sequence.
    package var attempts: [Int: DeliveryAttempts]

    /// The transient notifications that end with the session.
    package var ends: [TransientEnd]

    /// The time of the end.
    package var time: Timestamp

    /// Creates the value from its parts.
    package init(
        agent: AgentID,
        epoch: SessionEpoch,
        attempts: [Int: DeliveryAttempts] = [:],
        ends: [TransientEnd] = [],
        time: Timestamp
    ) {
        self.agent = agent
        self.epoch = epoch
        self.attempts = attempts
        self.ends = ends
        self.time = time
    }

    /// The number of items that the change counts as; an idle session counts as one.
    package var weight: Int {
        max(1, attempts.count + ends.count)
    }
}

/// Notifications that an agent acknowledges together.
package struct AgentAcknowledgement: Sendable, Equatable {
    /// A notification of the agent.
    package struct Notification: Sendable, Equatable {
        /// Its sequence.
        package var sequence: Int

        /// For the log, the times and the number of writes to the agent's stream; `nil` if it was not sent.
        package var attempts: DeliveryAttempts?

        /// Creates the value from its parts.
        package init(sequence: Int, attempts: DeliveryAttempts?) {
            self.sequence = sequence
            self.attempts = attempts
        }
    }

    /// The agent with the inbox.
    package var agent: AgentID

    /// The notifications.
    package var notifications: [Notification]

    /// The time of the acknowledgement.
    package var time: Timestamp

    /// Creates the value from its parts.
    package init(agent: AgentID, notifications: [Notification], time: Timestamp) {
        self.agent = agent
        self.notifications = notifications
        self.time = time
    }
}

/// A change that others have made to the store, for waiters and for copies.
package enum StoreEvent: Sendable, Equatable {
    /// Inboxes or batches of a namespace have changed.
    case changed(StoreChanges, in: Namespace)

    /// Entries of the delivery log have changed, at these sequences.
    case logged([ClosedRange<Int>], in: Namespace)

    /// A device of an agent accepts only these topics now; none if its token is no longer valid.
    case deviceChanged(AgentID, DeviceToken, accepts: Set<Topic>)

    /// An agent has a session with this epoch; earlier ones have ended.
    case sessionOpened(AgentID, SessionEpoch)

    /// A pending batch is stored, or was not accepted.
    case pendingEnded(BatchID, in: Namespace)

    /// The manual clock of a namespace was moved.
    case clockMoved(Namespace)

    /// The provider keys have changed.
    case keysChanged

    /// Faults were added or removed.
    case faultsChanged

    /// Everything in a namespace was deleted.
    case reset(Namespace)

    /// Other handles have put notifications into the inboxes of these agents, up to these sequences.
    ///
    /// Nudges about them, and events about sessions that were opened elsewhere, may have been lost.
    case behind([AgentID: Int])

    /// A device has acknowledged notifications at another gateway, but this gateway has the stream.
    case acknowledgementForwarded(ForwardedAcknowledgement)

    /// The gateway of this handle was taken for dead: all its sessions have ended.
    case expelled

    /// Events may be missing: everything may have changed.
    case gap
}

/// An acknowledgement that a gateway has forwarded to the gateway that has the agent's stream.
package struct ForwardedAcknowledgement: Equatable, Sendable {
    /// The handle that waits for the response.
    package var origin: Int

    /// The number of the request at that handle.
    package var requestID: Int

    /// The agent.
    package var agent: AgentID

    /// The acknowledgement.
    package var acknowledgement: Acknowledgement

    /// Creates the value from its parts.
    package init(origin: Int, requestID: Int, agent: AgentID, acknowledgement: Acknowledgement) {
        self.origin = origin
        self.requestID = requestID
        self.agent = agent
        self.acknowledgement = acknowledgement
    }
}
