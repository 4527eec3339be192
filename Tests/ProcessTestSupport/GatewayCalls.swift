package import AsyncHTTPClient
import Foundation
package import GatewayClient
package import NIOCore
package import NIOHTTP1
package import WaypostSchema

/// Untyped requests to a gateway.
package struct GatewayCalls: Sendable {
    /// The response to a request.
    package struct Answer: Sendable {
        package let status: UInt
        package let headers: HTTPHeaders
        package let body: [UInt8]

        /// Decodes the body as a value of the schema.
        package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: Data(body))
        }

        /// Returns the value of a header, or `nil` if it is absent.
        package func header(_ name: String) -> String? {
            headers.first(name: name)
        }

        /// The value of `Retry-After`: the seconds after which a retry may succeed.
        package var retryAfter: Int? {
            header("retry-after").flatMap(Int.init)
        }

        /// The error code in the body.
        package var errorCode: APIError.Code? {
            try? decoded(as: APIErrorBody.self).error.code
        }
    }

    package let ready: GatewayReadyFile
    package let http: HTTPClient

    /// Creates calls of the gateway that wrote the ready file.
    package init(ready: GatewayReadyFile, http: HTTPClient) {
        (self.ready, self.http) = (ready, http)
    }

    /// The typed client of the same gateway.
    package var client: GatewayClient {
        GatewayClient(http, service: ready.service, courier: ready.courier)
    }

    /// Sends a batch in the pieces of `body`.
    package func send<Body: AsyncSequence & Sendable>(
        _ body: Body,
        length: Int,
        query: String = "",
        key: String? = nil
    ) async throws -> Answer where Body.Element == ByteBuffer {
        var request = HTTPClientRequest(url: ready.service + "/v1/batches" + query)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-ndjson")
        if let key { request.headers.add(name: "idempotency-key", value: key) }
        request.body = .stream(body, length: .known(Int64(length)))
        return try await execute(request)
    }

    /// Sends a batch in one piece.
    package func send(_ lines: String, query: String = "", key: String? = nil) async throws -> Answer {
        let body = ByteBuffer(string: lines)
        return try await send([body].async, length: body.readableBytes, query: query, key: key)
    }

    /// Sends a notification as APNs clients do.
    package func push(to token: DeviceToken) async throws -> Answer {
        var request = HTTPClientRequest(url: (ready.providerPlaintext ?? "") + "/3/device/\(token)")
        request.method = .POST
        request.headers.add(name: "apns-topic", value: "com.example.clowntown")
        request.body = .bytes(ByteBuffer(string: #"{"aps":{}}"#))
        return try await execute(request)
    }

    /// Returns the status of a batch, or `nil` if the gateway does not know the batch.
    package func status(of batch: BatchID) async throws -> BatchStatus? {
        let answer = try await execute(HTTPClientRequest(url: ready.service + "/v1/batches/\(batch)"))
        return answer.status == 404 ? nil : try answer.decoded()
    }

    /// Returns the whole delivery log, by identifier.
    package func log() async throws -> [NotificationID: NotificationRecord] {
        var log: [NotificationID: NotificationRecord] = [:]
        var next: Int? = 0
        while let after = next {
            let path = "/v1/notifications?limit=1000&after=\(after)"
            let page = try await execute(HTTPClientRequest(url: ready.service + path)).decoded(
                as: NotificationPage.self
            )
            for record in page.notifications { if let id = record.id { log[id] = record } }
            next = page.next
        }
        return log
    }

    /// Resets the default namespace.
    package func reset() async throws -> Answer {
        var request = HTTPClientRequest(url: ready.service + "/v1/namespaces/default")
        request.method = .DELETE
        return try await execute(request)
    }

    /// Returns the answer of `/health/ready`.
    package func readiness() async throws -> Answer {
        try await execute(HTTPClientRequest(url: ready.service + "/health/ready"))
    }

    /// Reads an agent's event stream until it ends, or until `handle` throws.
    package func follow(
        with secret: BearerSecret,
        handle: ([ServerSentEvent]) async throws -> Void
    ) async throws {
        // The tests acknowledge by requests, whose answers they check.
        try await client.follow(
            with: secret,
            onOpen: {},
            handle: { events in
                try await handle(events)
                return []
            }
        )
    }

    /// Sends a request, and returns its answer with any status.
    package func execute(_ request: HTTPClientRequest) async throws -> Answer {
        let response = try await http.execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: 64 << 20)
        return Answer(status: response.status.code, headers: response.headers, body: Array(body.readableBytesView))
    }

    /// Runs `body` with a client that never retries a connection, and shuts the client down.
    package static func withClient<Value: Sendable>(
        _ configuration: HTTPClient.Configuration = HTTPClient.Configuration(),
        _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        var configuration = configuration
        // A killed gateway is not retried: its successor has other ports.
        configuration.connectionPool.retryConnectionEstablishment = false
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(http)
            try await http.shutdown()
            return value
        } catch {
            try? await http.shutdown()
            throw error
        }
    }
}

extension Array where Element: Sendable {
    /// The elements as an asynchronous sequence.
    package var async: AsyncStream<Element> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}

extension HTTPClient {
    /// Waits for `count` turns of one of its event loops: a delay that needs no clock.
    package func turn(_ count: Int) async {
        let eventLoop = eventLoopGroup.any()
        for _ in 0..<count { try? await eventLoop.submit {}.get() }
    }
}
