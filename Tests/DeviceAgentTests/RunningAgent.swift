import AsyncHTTPClient
import DeviceAgent
import Gateway
import GatewayClient
import GatewayTestSupport
import Logging
import WaypostSchema

extension AgentSources {
    /// A clock that stands still, and waits that are over at once.
    static let forTests = AgentSources(
        now: { Timestamp(milliseconds: 1_790_000_000_000) },
        random: { 0 },
        sleep: { _ in
            try Task.checkCancellation()
            await Task.yield()
        }
    )
}

/// An iPad with Clown Town on it.
let clownTown = DeviceDescription(
    name: "Ava's iPad",
    apps: [
        AppDescription(bundleIdentifier: "com.example.clowntown", scenes: [SceneSession(persistentIdentifier: "all")])
    ]
)

/// Runs `body` beside an agent of `gateway`, which is stopped when `body` returns.
func withAgent<Value: Sendable>(
    of gateway: GatewayReadyFile,
    _ http: HTTPClient,
    _ body: @escaping @Sendable (AgentClient) async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        let (announcements, announce) = AsyncStream.makeStream(of: AgentReadyFile.self)
        group.addTask {
            defer { announce.finish() }
            let configuration = AgentConfiguration(
                device: clownTown,
                service: gateway.service,
                courier: gateway.courier
            )
            let agent = AgentProcess(configuration: configuration, sources: .forTests, logger: .quiet)
            try await agent.run { announce.yield($0) }
            return nil
        }
        group.addTask {
            for await ready in announcements { return try await body(AgentClient(http, control: ready.control)) }
            return nil
        }
        defer { group.cancelAll() }
        while let value = try await group.next() {
            if let value { return value }
        }
        throw CancellationError()
    }
}
