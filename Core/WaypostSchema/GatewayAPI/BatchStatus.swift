/// The current status of a batch.
public struct BatchStatus: Codable, Sendable, Equatable {
    /// The phase of a batch in the gateway.
    public enum Phase: String, Codable, Sendable, CaseIterable {
        /// The batch is not stored yet: no item is accepted, and a crash loses the batch.
        case pending

        /// The accepted items are as durable as the receipt says.
        case committed

        /// The whole batch was refused.
        case refused
    }

    /// The batch's identifier.
    public var id: BatchID

    /// The phase; `committed` if absent.
    public var phase: Phase?

    /// The number of accepted items.
    public var accepted: Int

    /// The number of rejected items.
    public var rejected: Int

    /// The number of accepted items in each state; states without items are absent.
    public var states: [DeliveryState: Int]

    /// The rejected items in input order, if the gateway kept them.
    ///
    /// It keeps them for a batch with an idempotency key, and for one that it acknowledged before it stored it.
    public var results: [ItemResult]?

    /// The reason why the whole batch was refused.
    public var error: APIError?

    /// Creates the value from its parts.
    public init(
        id: BatchID,
        phase: Phase? = nil,
        accepted: Int,
        rejected: Int,
        states: [DeliveryState: Int],
        results: [ItemResult]? = nil,
        error: APIError? = nil
    ) {
        self.id = id
        self.phase = phase
        self.accepted = accepted
        self.rejected = rejected
        self.states = states
        self.results = results
        self.error = error
    }

    /// Whether the states of the accepted items can no longer change.
    public var isSettled: Bool {
        phase != .pending && states.keys.allSatisfy(\.isFinal)
    }
}
