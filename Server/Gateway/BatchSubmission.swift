internal import GatewayStore
internal import WaypostSchema

/// A batch whose body is in, and what its sender asks for.
struct BatchSubmission: Sendable {
    /// The identifier it gets.
    let id: BatchID

    /// The namespace it was sent to.
    let namespace: Namespace

    /// The inflated body.
    let body: [UInt8]

    /// Whether all of it is taken, or nothing.
    let isAtomic: Bool

    /// The sender's word for it.
    let key: IdempotencyKey?

    /// Whether the answer has a result for every item.
    let wantsAllResults: Bool

    /// Whether what was rejected is kept for later answers.
    let keepsRejections: Bool

    /// Its right to be inside.
    let ticket: IntakeDoor.Ticket
}

/// The answer to a batch.
struct BatchAnswer: Sendable {
    /// What became of its items.
    var receipt: BatchReceipt

    /// Whether it was taken in before, with the same key.
    var isReplay = false
}
