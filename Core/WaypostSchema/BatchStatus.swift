/// What has become of a batch so far.
public struct BatchStatus: Codable, Sendable, Equatable {
    /// How far a batch has come in the gateway.
    public enum Phase: String, Codable, Sendable, CaseIterable {
        /// It waits for being stored; so far nothing of it is accepted, and a crash costs it.
        case pending

        /// Its accepted items are as durable as its receipt says.
        case committed

        /// It was refused whole.
        case refused
    }

    /// The batch.
    public var id: BatchID

    /// How far it has come; `committed` where absent.
    public var phase: Phase?

    /// How many items were accepted.
    public var accepted: Int

    /// How many items were not.
    public var rejected: Int

    /// How many of the accepted items are in each state; states without items are absent.
    public var states: [DeliveryState: Int]

    /// The rejected items in input order, where the gateway kept them: of a batch with an idempotency key, or one that
    /// was answered before it was stored.
    public var results: [ItemResult]?

    /// Why it was refused whole.
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

    /// Whether nothing more will become of the batch's accepted items.
    public var isSettled: Bool {
        phase != .pending && states.keys.allSatisfy(\.isFinal)
    }
}
