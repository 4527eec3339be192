import AsyncHTTPClient
import DeviceAgent
import Gateway
import GatewayClient
import GatewayTestSupport
import Logging
import WaypostSchema
import WaypostTestSupport

extension AgentSources {
    /// A clock that stands still, with waits that end after a moment.
    static let forTests = AgentSources(
        now: { Timestamp(milliseconds: 1_790_000_000_000) },
        random: { 0 },
        sleep: { _ in try await pause() }
    )

    /// A clock that stands still, with waits that end only with the agent.
    static let waiting = AgentSources(
        now: forTests.now,
        random: forTests.random,
        sleep: { _ in
            let never = AsyncStream<Void> { _ in }
            for await _ in never {}
            try Task.checkCancellation()
        }
    )
}

/// An iPad with the app Clown Town.
let clownTown = DeviceDescription(
    name: "Ava's iPad",
    apps: [
        AppDescription(bundleIdentifier: "com.example.clowntown", scenes: [SceneSession(persistentIdentifier: "all")])
    ]
)

/// Runs `body` while an agent of `gateway` runs, and stops the agent when `body` returns.
func withAgent<Value: Sendable>(
    of gateway: GatewayReadyFile,
    _ http: HTTPClient,
    _ body: @escaping @Sendable (AgentClient) async throws -> Value
) async throws -> Value {
    let configuration = AgentConfiguration(
        devices: [ConfiguredDevice(clownTown)],
        service: gateway.service,
        courier: gateway.courier
    )
    return try await withAgent(configuration, sources: .forTests) { ready in
        try await body(AgentClient(http, control: ready.control))
    }
}

/// Runs `body` while an agent runs, and stops the agent when `body` returns.
func withAgent<Value: Sendable>(
    _ configuration: AgentConfiguration,
    sources: AgentSources,
    _ body: @escaping @Sendable (AgentReadyFile) async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        let (announcements, announce) = AsyncStream.makeStream(of: AgentReadyFile.self)
        group.addTask {
            defer { announce.finish() }
            let agent = AgentProcess(configuration: configuration, sources: sources, logger: .quiet)
            try await agent.run { announce.yield($0) }
            return nil
        }
        group.addTask {
            for await ready in announcements { return try await body(ready) }
            return nil
        }
        defer { group.cancelAll() }
        while let value = try await group.next() {
            if let value { return value }
        }
        throw CancellationError()
    }
}

/// HTTP clients that are shut down when the work is done.
enum HTTPClients {
    static func run(_ work: @Sendable (HTTPClient) async throws -> Void) async throws {
        let http = HTTPClient(eventLoopGroupProvider: .singleton)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await work(http))
        } catch {
            outcome = .failure(error)
        }
        try await http.shutdown()
        try outcome.get()
    }
}
