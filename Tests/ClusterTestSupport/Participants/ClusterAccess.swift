import AsyncHTTPClient
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// The access of clients to the gateways of a cluster.
struct ClusterAccess: Sendable {
    let gateways: [ClusterGateway]
    let answers: ClusterAnswers

    /// The client of requests, and the client of streams, each of which occupies a connection.
    let (http, streams): (HTTPClient, HTTPClient)

    /// Returns the untyped calls to a gateway.
    func calls(_ gateway: Int) -> GatewayCalls {
        GatewayCalls(ready: gateways[gateway].ready, http: http)
    }

    /// Returns the typed client of a gateway.
    func client(_ gateway: Int) -> GatewayClient {
        let ready = gateways[gateway].ready
        return GatewayClient(http, streams: streams, service: ready.service, courier: ready.courier)
    }

    /// Returns the number of a random gateway, which may be one that does not run.
    func anyGateway(using generator: inout SeededGenerator) -> Int {
        .random(in: gateways.indices, using: &generator)
    }

    /// Returns the number of a random gateway other than `last`.
    func anyGateway(except last: Int, using generator: inout SeededGenerator) -> Int {
        gateways.indices.filter { $0 != last }.randomElement(using: &generator) ?? last
    }

    /// Waits before a client repeats a request, for a random time, so that clients do not come together.
    static func pause(using generator: inout SeededGenerator) async {
        try? await Task.sleep(for: .milliseconds(.random(in: 20...200, using: &generator)))
    }

    /// Runs `body` with the clients of requests and of streams, and shuts both down.
    static func withClients<Value: Sendable>(
        _ body: (_ http: HTTPClient, _ streams: HTTPClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration.waypost
        // A gateway that is stopped keeps the connections to it busy. Those to the others must not be affected.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let streams = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .streams)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(http, streams))
        } catch {
            result = .failure(error)
        }
        try? await http.shutdown()
        try? await streams.shutdown()
        return try result.get()
    }
}
