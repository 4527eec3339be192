internal import GatewayStore
internal import HTTPTypes
internal import Hummingbird
internal import WaypostSchema

/// `/v1/batches`: sending many notifications, and asking what became of them.
struct BatchRoutes {
    let mailroom: Mailroom
    let pendingIntake: PendingIntake
    let door: IntakeLimiter
    let limits: BatchLimits

    func add(to router: Router<BasicRequestContext>) {
        router.post("v1/batches") { request, _ in try await accept(request) }
        router.get("v1/batches/:id") { request, context in
            try await status(of: BatchID(rawValue: try context.parameters.require("id")), request)
        }
    }

    private func accept(_ request: Request) async throws -> Response {
        var pieces = RequestPieces(request)
        do {
            let options = try BatchOptions(request)
            let ticket = try door.admit()
            let body = try await inflate(request, &pieces, options.coding, ticket)
            return try await answer(to: try await submission(of: body, options, ticket), options, request)
        } catch {
            await pieces.drain()
            throw error
        }
    }

    private func inflate(
        _ request: Request,
        _ pieces: inout RequestPieces,
        _ coding: ContentCoding,
        _ ticket: IntakeLimiter.Ticket
    ) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limits.bodySize {
            throw GatewayError.bodyTooLarge(limit: limits.bodySize)
        }
        var inflation = BodyInflation(coding, limits: limits)
        try await pieces.read { piece in
            try inflation.append(piece)
            try ticket.reserve(upTo: inflation.count)
        }
        let received = inflation.received
        let body = try inflation.finish()
        mailroom.metrics.noteBody(received: received, inflated: body.count)
        return body
    }

    private func submission(
        of body: [UInt8],
        _ options: BatchOptions,
        _ ticket: IntakeLimiter.Ticket
    ) async throws(GatewayError) -> BatchSubmission {
        var key: IdempotencyKey?
        if let name = options.key {
            let isAtomic = options.isAtomic
            let fingerprint = try await Processor.run { BatchFingerprint.make(body, isAtomic: isAtomic) }
            key = IdempotencyKey(key: name, fingerprint: fingerprint)
        }
        return BatchSubmission(
            id: BatchID(rawValue: mailroom.sources.makeUUID()),
            namespace: options.namespace,
            body: body,
            isAtomic: options.isAtomic,
            key: key,
            wantsAllResults: options.wantsAllResults,
            keepsRejections: options.isAsynchronous,
            ticket: ticket
        )
    }

    private func answer(
        to submission: BatchSubmission,
        _ options: BatchOptions,
        _ request: Request
    ) async throws -> Response {
        if let replay = try await mailroom.replay(submission, limits: limits) { return try response(replay, request) }
        guard options.isAsynchronous else {
            return try response(try await mailroom.accept(submission, limits: limits), request)
        }
        try pendingIntake.add(submission)
        let status = BatchStatus(id: submission.id, phase: .pending, accepted: 0, rejected: 0, states: [:])
        let headers: HTTPFields = [
            .location: "/v1/batches/\(submission.id)", .preferenceApplied: "respond-async",
        ]
        return try JSONResponse.make(status, status: .accepted, headers: headers)
    }

    private func response(_ answer: BatchAnswer, _ request: Request) throws -> Response {
        let headers: HTTPFields = answer.isReplay ? [.idempotencyReplayed: "true"] : [:]
        return try JSONResponse.make(answer.receipt, headers: headers, compressing: request.acceptsGzip)
    }

    private func status(of batch: BatchID, _ request: Request) async throws -> Response {
        let namespace = try request.namespace
        let status =
            if let wait = try BatchWait(request) {
                try await wait.settledStatus(of: batch, in: namespace, mailroom)
            } else {
                try await mailroom.status(of: batch, in: namespace)
            }
        return try JSONResponse.make(status, compressing: request.acceptsGzip)
    }
}
