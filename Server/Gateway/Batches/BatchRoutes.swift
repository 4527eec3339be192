internal import GatewayStore
internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// `/v1/batches`: sends many notifications at once, and returns the status of a batch.
struct BatchRoutes {
    let batches: BatchService
    let limiter: IntakeLimiter

    func add(to router: Router<ServiceContext>) {
        router.post("v1/batches") { request, _ in try await accept(request) }
        router.get("v1/batches/:id") { request, context in
            try await status(of: BatchID(rawValue: try context.parameters.require("id")), request, context)
        }
    }

    private func accept(_ request: Request) async throws -> Response {
        var chunks = RequestChunks(request)
        do {
            let options = try BatchOptions(request)
            let body = try await inflate(request, &chunks, coding: options.coding)
            return try await respond(to: try await submission(of: body.bytes, options, body.reservation), request)
        } catch {
            await chunks.drain()
            throw error
        }
    }

    private func inflate(
        _ request: Request,
        _ chunks: inout RequestChunks,
        coding: ContentCoding
    ) async throws -> (bytes: [UInt8], reservation: IntakeLimiter.Reservation) {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > batches.limits.bodySize {
            throw RequestError.bodyTooLarge(limit: batches.limits.bodySize)
        }
        var inflation = BodyInflation(coding, limits: batches.limits)
        var admitted: IntakeLimiter.Reservation?
        try await chunks.read { chunk in
            // The reservation begins with the first chunk, so a client that sends no body has none.
            let reservation = try admitted ?? limiter.admit()
            admitted = reservation
            try inflation.append(chunk) { count throws(GatewayError) in
                try reservation.reserve(upTo: BatchFootprint.bytes(body: count))
            }
        }
        let reservation = try admitted ?? limiter.admit()
        let receivedBytes = inflation.receivedBytes
        let body = try inflation.finish()
        batches.delivery.metrics.recordBody(receivedBytes: receivedBytes, inflatedBytes: body.count)
        return (body, reservation)
    }

    private func submission(
        of body: [UInt8],
        _ options: BatchOptions,
        _ reservation: IntakeLimiter.Reservation
    ) async throws(GatewayError) -> BatchSubmission {
        var key: IdempotencyKey?
        if let name = options.key {
            let isAtomic = options.isAtomic
            let fingerprint = try await Processor.run { BatchFingerprint.make(body, isAtomic: isAtomic) }
            key = IdempotencyKey(key: name, fingerprint: fingerprint)
        }
        let id = BatchID(rawValue: batches.sources.makeUUID())
        return BatchSubmission(id: id, options: options, body: body, key: key, reservation: reservation)
    }

    private func respond(
        to submission: BatchSubmission,
        _ request: Request
    ) async throws -> Response {
        if let replay = try await batches.replay(submission) {
            return try response(with: replay, to: request, submission.reservation)
        }
        guard submission.options.isAsynchronous else { return try await storedResponse(to: submission, request) }
        try await batches.add(submission)
        let headers: HTTPFields = [
            .location: "/v1/batches/\(submission.id)", .preferenceApplied: "respond-async",
        ]
        return try JSONResponse.make(BatchStatus.pending(submission.id), status: .accepted, headers: headers)
    }

    /// Stores a batch and returns the response, or the refusal of the whole batch with its results.
    private func storedResponse(to submission: BatchSubmission, _ request: Request) async throws -> Response {
        let result: BatchResponse
        do throws(GatewayError) {
            result = try await batches.accept(submission)
        } catch {
            var body = error.body
            guard let results = body.results else { throw error }
            body.results = []
            submission.reservation.shrink(to: BatchFootprint.bytes(body: 0, items: results.count))
            return try JSONResponse.make(
                JSONListText(body, list: "results", of: results),
                status: error.status,
                headers: error.headers,
                holding: submission.reservation
            )
        }
        return try response(with: result, to: request, submission.reservation)
    }

    /// Returns the response with the results of a batch, whose memory stays reserved until they are written.
    private func response(
        with result: BatchResponse,
        to request: Request,
        _ reservation: IntakeLimiter.Reservation
    ) throws -> Response {
        let headers: HTTPFields = result.isReplay ? [.idempotencyReplayed: "true"] : [:]
        var receipt = result.receipt
        receipt.results = []
        reservation.shrink(to: BatchFootprint.bytes(body: 0, items: result.receipt.results.count))
        return try JSONResponse.make(
            JSONListText(receipt, list: "results", of: result.receipt.results),
            headers: headers,
            compressing: request.acceptsGzip,
            holding: reservation
        )
    }

    private func status(
        of batch: BatchID,
        _ request: Request,
        _ context: ServiceContext
    ) async throws -> Response {
        let namespace = try request.namespace
        if let timeout = try request.settledTimeout {
            try await timeout.wait(unlessDisconnected: context) {
                try await batches.waitUntilSettled(batch, in: namespace)
            }
        }
        let reservation = limiter.makeReservation()
        var status = try await batches.status(of: batch, in: namespace) { count throws(GatewayError) in
            try reservation.reserve(upTo: BatchFootprint.bytes(body: 0, items: count))
        }
        guard let results = status.results else {
            return try JSONResponse.make(status, compressing: request.acceptsGzip)
        }
        status.results = []
        return try JSONResponse.make(
            JSONListText(status, list: "results", of: results),
            compressing: request.acceptsGzip,
            holding: reservation
        )
    }
}

extension Request {
    /// The time-out for a batch to settle (`?wait=settled&timeout=2s`), or `nil` if the request does not wait.
    fileprivate var settledTimeout: WaitTimeout? {
        get throws(RequestError) {
            let timeout = try WaitTimeout(self)
            guard let wait = uri.queryParameters["wait"] else { return nil }
            guard wait == "settled" else {
                throw .badParameter(name: "wait", "'\(wait)' is not accepted; use 'settled'")
            }
            return timeout
        }
    }
}

/// The options of a request to `POST /v1/batches`.
struct BatchOptions: Sendable {
    let namespace: Namespace
    let coding: ContentCoding
    let wantsAllResults: Bool
    let isAtomic: Bool
    let key: String?
    let isAsynchronous: Bool
    let trace: RequestTrace
}

extension BatchOptions {
    /// Reads the options from a request's headers and query.
    init(_ request: Request) throws {
        namespace = try request.namespace
        coding = try ContentCoding(request.headers[.contentEncoding])
        key = try request.idempotencyKey
        isAsynchronous = request.prefersAsynchronousResponse
        trace = RequestTrace(request.headers[.traceparent])
        let query = request.uri.queryParameters
        wantsAllResults = try Self.choice("results", query["results"], from: ["rejected": false, "all": true])
        isAtomic = try Self.choice("atomic", query["atomic"], from: ["false": false, "true": true])
    }

    /// Returns the value of a query parameter with two choices; false if it is absent.
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

/// A batch whose body was received.
struct BatchSubmission: Sendable {
    /// The identifier that the batch gets.
    let id: BatchID

    /// The options that the sender chose.
    let options: BatchOptions

    /// The inflated body.
    let body: [UInt8]

    /// The idempotency key, which identifies the batch when it is sent again.
    let key: IdempotencyKey?

    /// The share of the intake limits that the batch uses.
    let reservation: IntakeLimiter.Reservation
}

/// The response to a batch.
struct BatchResponse: Sendable {
    /// The results of the items.
    var receipt: BatchReceipt

    /// Whether the batch was accepted before, with the same key.
    var isReplay = false

    /// Whether the store has the batch: it keeps no refusals of a namespace that does not exist.
    var isStored = true
}
