internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// What a request to `POST /v1/batches` asks for besides its body.
struct BatchOptions: Sendable {
    let namespace: Namespace
    let coding: ContentCoding
    let wantsAllResults: Bool
    let isAtomic: Bool
    let key: String?
    let isAsynchronous: Bool

    init(_ request: Request) throws {
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
    ) throws(RequestError) -> Bool {
        guard let value else { return false }
        guard let choice = choices[String(value)] else {
            let names = choices.keys.sorted().map { "'\($0)'" }.joined(separator: " nor ")
            throw .badParameter(name: name, "'\(value)' is neither \(names)")
        }
        return choice
    }
}

/// A batch whose body is in.
struct BatchSubmission: Sendable {
    /// The identifier it gets.
    let id: BatchID

    /// What its sender asks for.
    let options: BatchOptions

    /// The inflated body.
    let body: [UInt8]

    /// The sender's key for it, by which it is known again.
    let key: IdempotencyKey?

    /// Its share of what all batches may have.
    let reservation: IntakeLimiter.Reservation
}

/// The answer to a batch.
struct BatchAnswer: Sendable {
    /// What became of its items.
    var receipt: BatchReceipt

    /// Whether it was taken in before, with the same key.
    var isReplay = false
}
