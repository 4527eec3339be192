import AsyncHTTPClient
import Foundation
import GatewayClient
import NIOCore
import NIOHTTP1
import WaypostSchema

/// The clients of a trial with many connections at the same time.
struct TrialClients: Sendable {
    /// The client of requests.
    let http: HTTPClient

    /// The client of event streams.
    let streams: HTTPClient

    /// Runs `body` with clients, and shuts them down.
    static func run<Value: Sendable>(_ body: (TrialClients) async throws -> Value) async throws -> Value {
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .streams)
        let streams = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .streams)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(TrialClients(http: http, streams: streams)))
        } catch {
            result = .failure(error)
        }
        try? await http.shutdown()
        try? await streams.shutdown()
        return try result.get()
    }

    /// Returns the typed client of a namespace of a gateway.
    func client(of ready: GatewayReadyFile, in namespace: Namespace? = nil) -> GatewayClient {
        GatewayClient(
            http,
            streams: streams,
            service: ready.service,
            courier: ready.courier,
            namespace: namespace
        )
    }

    /// Sends a batch, and returns the answer with any status.
    func send(
        _ lines: String,
        to ready: GatewayReadyFile,
        in namespace: Namespace,
        key: String
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: ready.service + "/v1/batches?results=all")
        request.method = .POST
        request.headers.add(name: "idempotency-key", value: key)
        request.headers.add(name: "x-waypost-namespace", value: namespace.rawValue)
        request.body = .bytes(ByteBuffer(string: lines))
        return try await execute(request)
    }

    /// Sends a notification as APNs clients do, with an identifier, and returns the answer with any status.
    func push(
        to token: DeviceToken,
        of ready: GatewayReadyFile,
        id: NotificationID
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: (ready.providerPlaintext ?? "") + "/3/device/\(token)")
        request.method = .POST
        request.headers.add(name: "apns-topic", value: TrialItems.topic.rawValue)
        request.headers.add(name: "apns-id", value: id.rawValue)
        request.body = .bytes(ByteBuffer(string: #"{"aps":{}}"#))
        return try await execute(request)
    }

    private func execute(_ request: HTTPClientRequest) async throws -> Answer {
        let response = try await http.execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: 16 << 20)
        return Answer(
            status: response.status.code,
            isReplay: response.headers.first(name: "idempotency-replayed") == "true",
            id: response.headers.first(name: "apns-id"),
            body: Data(body.readableBytesView)
        )
    }

    /// The answer to a request.
    struct Answer: Sendable {
        let status: UInt

        /// Whether it is the answer to an earlier batch with the same key.
        let isReplay: Bool

        /// The `apns-id`; absent in answers to batches.
        let id: String?

        let body: Data
    }
}
