/// The response to a batch, sent once the accepted items are as durable as `durability` says.
public struct BatchReceipt: Codable, Sendable, Equatable {
    /// The batch's identifier.
    public var id: BatchID

    /// The number of accepted items.
    public var accepted: Int

    /// The number of rejected items.
    public var rejected: Int

    /// The failures that an accepted item survives.
    public var durability: Durability

    /// The rejected items in input order, or all items if the client asked for them.
    public var results: [ItemResult]

    /// The first errors and warnings about accepted items, at most 100; absent if there are none, and in the answer to a
    /// batch that was accepted before.
    public var findings: [ItemFinding]?

    /// Creates the value from its parts.
    public init(
        id: BatchID,
        accepted: Int,
        rejected: Int,
        durability: Durability,
        results: [ItemResult],
        findings: [ItemFinding]? = nil
    ) {
        self.id = id
        self.accepted = accepted
        self.rejected = rejected
        self.durability = durability
        self.results = results
        self.findings = findings
    }
}
