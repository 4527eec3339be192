package import WaypostSchema

/// The effects of a change, for those that wait for them.
package struct StoreChanges: Sendable, Equatable {
    /// A notification that left an inbox.
    package struct Removal: Hashable, Sendable {
        /// The agent with the inbox.
        package var agent: AgentID

        /// The sequence of the notification.
        package var sequence: Int

        /// The batch of the notification.
        package var batch: BatchNumber

        /// The final state.
        package var state: DeliveryState

        /// Creates the value from its parts.
        package init(agent: AgentID, sequence: Int, batch: BatchNumber, state: DeliveryState) {
            self.agent = agent
            self.sequence = sequence
            self.batch = batch
            self.state = state
        }
    }

    /// The agents whose streams must read on in their inboxes, because there are new notifications that were not
    /// delivered as payloads.
    package var nudges: Set<AgentID> = []

    /// The agents whose streams must read their inboxes from the start, because notifications in them are held back to
    /// save power, are no longer held back, or have moved to another token.
    package var rewinds: Set<AgentID> = []

    /// The notifications that left an inbox.
    package var removals: [Removal] = []

    /// The batches with notifications that reached a final state without having been in an inbox.
    package var batches: Set<BatchNumber> = []

    /// Creates changes by which notifications left inboxes.
    package init(removals: [Removal] = []) {
        self.removals = removals
    }

    /// The batches with notifications that reached a final state.
    package var settledBatches: Set<BatchNumber> {
        removals.reduce(into: batches) { $0.insert($1.batch) }
    }

    /// Adds the effects of another change.
    package mutating func append(_ other: Self) {
        nudges.formUnion(other.nudges)
        rewinds.formUnion(other.rewinds)
        removals += other.removals
        batches.formUnion(other.batches)
    }
}

/// The number of a batch in the store, never used again.
package struct BatchNumber: Hashable, Sendable {
    /// The number.
    package var rawValue: Int

    /// Creates the number `rawValue`.
    package init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
