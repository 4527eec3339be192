package import WaypostSchema

/// What a change touched, for those who wait for it.
package struct StoreChanges: Sendable, Equatable {
    /// A notification that left an inbox.
    package struct Removal: Hashable, Sendable {
        /// The agent whose inbox it was in.
        package var agent: AgentID

        /// Its sequence.
        package var sequence: Int

        /// The batch it came in.
        package var batch: BatchNumber

        /// The final state that it is in.
        package var state: DeliveryState
    }

    /// The agents whose inboxes have something new, or something that waited for power.
    package var agents: Set<AgentID> = []

    /// What left an inbox.
    package var removals: [Removal] = []

    /// The batches of which notifications reached a final state without having been in an inbox.
    package var batches: Set<BatchNumber> = []

    /// Creates changes of nothing.
    package init() {}

    /// The batches of which notifications reached a final state.
    package var settledBatches: Set<BatchNumber> {
        removals.reduce(into: batches) { $0.insert($1.batch) }
    }

    /// Adds what another change touched.
    package mutating func append(_ other: Self) {
        agents.formUnion(other.agents)
        removals += other.removals
        batches.formUnion(other.batches)
    }
}

/// A batch's number in the store, never used again.
package struct BatchNumber: Hashable, Sendable {
    /// The number.
    package var rawValue: Int

    /// Creates the number `rawValue`.
    package init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
