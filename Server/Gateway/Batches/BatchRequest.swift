internal import GatewayStore
internal import Hummingbird
internal import WaypostSchema

/// What a request to `POST /v1/batches` asks for besides its body.
struct BatchOptions: Sendable {
    let namespace: Namespace
    let coding: ContentCoding
    let wantsAllResults: Bool
    let isAtomic: Bool
    let key: String?
    let isAsynchronous: Bool

    init(_ request: Request) throws(GatewayError) {
        namespace = try request.namespace
        coding = try ContentCoding(request.headers[.contentEncoding])
        key = try request.idempotencyKey
        isAsynchronous = request.prefersAsynchronousAnswer
        let query = request.uri.queryParameters
        wantsAllResults = try Self.choice("results", query["results"], from: ["rejected": false, "all": true])
        isAtomic = try Self.choice("atomic", query["atomic"], from: ["false": false, "true": true])
    }

    /// Reads a parameter that chooses between two things; false where it is absent.
    private static func choice(
        _ name: String,
        _ value: Substring?,
        from choices: [String: Bool]
    ) throws(GatewayError) -> Bool {
        guard let value else { return false }
        guard let choice = choices[String(value)] else {
            let names = choices.keys.sorted().map { "'\($0)'" }.joined(separator: " nor ")
            throw .badParameter(name: name, "'\(value)' is neither \(names)")
        }
        return choice
    }
}

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
    let ticket: IntakeLimiter.Ticket
}

/// The answer to a batch.
struct BatchAnswer: Sendable {
    /// What became of its items.
    var receipt: BatchReceipt

    /// Whether it was taken in before, with the same key.
    var isReplay = false
}

/// A wish to be answered once a batch is settled: `?wait=settled&timeout=2s`.
struct BatchWait {
    private let timeout: WaitTimeout

    /// Reads a request's query; `nil` where there is no such wish.
    init?(_ request: Request) throws(GatewayError) {
        let timeout = try WaitTimeout(request)
        guard let wait = request.uri.queryParameters["wait"] else { return nil }
        guard wait == "settled" else {
            throw .badParameter(name: "wait", "'\(wait)' cannot be waited for; 'settled' can")
        }
        self.timeout = timeout
    }

    /// Returns what has become of a batch once it is settled, the time is over or the gateway shuts down.
    func settledStatus(of batch: BatchID, in namespace: Namespace, _ mailroom: Mailroom) async throws -> BatchStatus {
        try await timeout.wait { _ = try await mailroom.settledStatus(of: batch, in: namespace) }
        return try await mailroom.status(of: batch, in: namespace)
    }
}
