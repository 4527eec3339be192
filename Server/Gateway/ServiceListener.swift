internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOPosix
internal import WaypostSchema

/// The listener that providers and people talk to: registration, batches, health.
struct ServiceListener {
    let mailroom: Mailroom
    let configuration: GatewayConfiguration
    let logger: Logger
    let onListening: @Sendable (_ port: Int) -> Void

    /// The web application, which serves until a graceful shutdown.
    func application() -> some ApplicationProtocol {
        let bodySize = configuration.batchLimits.bodySize
        return Application(
            router: router(),
            server: .http1(
                configuration: .init(additionalChannelHandlers: [ExpectContinueHandler(maximumBody: bodySize)])
            ),
            configuration: .init(address: .hostname(configuration.host, port: configuration.servicePort)),
            onServerRunning: { channel in onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: FaultMiddleware(logger: logger))
        router.get("health") { _, _ in
            try JSONResponse.make(Health(schema: SchemaVersion.current, store: "memory"))
        }
        router.post("v1/devices") { request, _ in try await register(request) }
        router.post("v1/batches") { request, _ in try await accept(request) }
        router.get("v1/batches/:id") { request, context in
            try await status(of: BatchID(rawValue: try context.parameters.require("id")), request)
        }
        return router
    }

    private func register(_ request: Request) async throws -> Response {
        let registration = try await JSONBody.decode(DeviceRegistration.self, from: request)
        guard !registration.name.isEmpty else { throw GatewayFault.malformedBody("'name' must not be empty") }
        return try JSONResponse.make(try mailroom.register(registration), status: .created)
    }

    private func accept(_ request: Request) async throws -> Response {
        var pieces = RequestPieces(request)
        do {
            let options = try BatchOptions(request)
            let batch = try await inflate(request, &pieces, options.coding)
            let limits = configuration.batchLimits
            // A large batch takes a processor for a while, which must not be one of those that answer requests.
            return try await NIOThreadPool.singleton.runIfActive {
                let receipt = try mailroom.accept(batch, limits: limits, allResults: options.allResults)
                return try JSONResponse.make(receipt)
            }
        } catch {
            await pieces.drain()
            throw error
        }
    }

    private func inflate(
        _ request: Request,
        _ pieces: inout RequestPieces,
        _ coding: ContentCoding
    ) async throws -> [UInt8] {
        let limits = configuration.batchLimits
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limits.bodySize {
            throw GatewayFault.bodyTooLarge(limit: limits.bodySize)
        }
        var inflation = BodyInflation(coding, limits: limits)
        try await pieces.read { try inflation.append($0) }
        return try inflation.finish()
    }

    private func status(of batch: BatchID, _ request: Request) async throws -> Response {
        guard let wait = try BatchWait(request) else { return try JSONResponse.make(try mailroom.status(of: batch)) }
        return try JSONResponse.make(try await wait.settledStatus(of: batch, in: mailroom))
    }
}

/// What a request to `POST /v1/batches` asks for besides its body.
struct BatchOptions {
    let coding: ContentCoding
    let allResults: Bool

    init(_ request: Request) throws(GatewayFault) {
        // Passing these over would break a promise that the sender relies on.
        if request.headers[.idempotencyKey] != nil { throw .notBuilt("Idempotency-Key") }
        if request.headers[.prefer] != nil { throw .notBuilt("Prefer") }
        if request.uri.queryParameters["atomic"] != nil { throw .notBuilt("atomic") }
        coding = try ContentCoding(request.headers[.contentEncoding])
        switch request.uri.queryParameters["results"] {
        case nil, "rejected": allResults = false
        case "all": allResults = true
        case .some(let other): throw .badParameter(name: "results", "'\(other)' is neither 'rejected' nor 'all'")
        }
    }
}

extension HTTPField.Name {
    fileprivate static let idempotencyKey = Self("Idempotency-Key")
    fileprivate static let prefer = Self("Prefer")
}

extension HTTPFields {
    fileprivate subscript(name: HTTPField.Name?) -> String? {
        name.flatMap { self[$0] }
    }
}
