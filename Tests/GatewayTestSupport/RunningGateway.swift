package import AsyncHTTPClient
package import Gateway
internal import GatewayClient
package import GatewayStore
internal import LocalService
package import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization
package import WaypostSchema

/// A gateway that runs in the test's process, on free ports.
package struct RunningGateway: Sendable {
    /// The addresses on which the gateway listens.
    package let ready: GatewayReadyFile

    /// A client that is shut down with the gateway.
    package let http: HTTPClient

    /// Runs a gateway, passes it to `body`, and shuts it down before returning the result of `body`.
    package static func run<Value: Sendable>(
        _ configuration: GatewayConfiguration = .forTests,
        sources: GatewaySources = .forTests(),
        adminToken: String? = nil,
        store: (any GatewayStore)? = nil,
        logger: Logger = .quiet,
        _ body: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> Value {
        var client = HTTPClient.Configuration()
        // Many tests run at the same time, so a connection may take long, which is not an error.
        client.timeout.connect = .minutes(10)
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: client)
        let gateway = Gateway(
            configuration: configuration,
            sources: sources,
            adminToken: adminToken,
            store: store,
            logger: logger
        )
        let outcome = await Result { try await run(gateway, http, body) }
        try await http.shutdown()
        return try outcome.get()
    }

    private static func run<Value: Sendable>(
        _ gateway: Gateway,
        _ http: HTTPClient,
        _ body: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> Value {
        let (announcements, announce) = AsyncStream.makeStream(of: GatewayReadyFile.self)
        let services = ServiceGroup(services: [GatewayService(gateway: gateway, announce: announce)], logger: .quiet)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await services.run()
                return nil
            }
            group.addTask {
                for await ready in announcements {
                    let outcome = await Result { try await body(RunningGateway(ready: ready, http: http)) }
                    await services.triggerGracefulShutdown()
                    return try outcome.get()
                }
                return nil
            }
            var value: Value?
            // The gateway must have stopped before a test can run another one on the same folder.
            while let next = try await group.next() { value = next ?? value }
            guard let value else { throw CancellationError() }
            return value
        }
    }
}

/// A gateway as a service, which a service group can shut down.
private struct GatewayService: Service {
    let gateway: Gateway
    let announce: AsyncStream<GatewayReadyFile>.Continuation

    func run() async throws {
        defer { announce.finish() }
        try await gateway.run { announce.yield($0) }
    }
}

extension Logger {
    /// A logger that discards its messages.
    package static var quiet: Logger {
        Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
    }
}

extension GatewayConfiguration {
    /// A configuration with free ports.
    package static var forTests: Self {
        var configuration = Self()
        configuration.service.port = 0
        configuration.courier.port = 0
        configuration.providerPlaintext = ListenAddress(port: 0)
        // On a slow machine, the gateway must not redeliver a notification before the test has read it once.
        configuration.redelivery.initialDelay = 600
        return configuration
    }
}

extension GatewaySources {
    /// Returns sources with a fixed time, and with a counter that begins after `start` instead of random numbers.
    package static func forTests(
        now: Timestamp = Timestamp(milliseconds: 1_790_000_000_000),
        from start: UInt64 = 0
    ) -> Self {
        let count = Counter(start)
        return Self(
            now: { now },
            randomBytes: { length in
                let number = count.next()
                return (0..<length).map { UInt8(truncatingIfNeeded: number &>> (8 * ($0 % 8))) }
            }
        )
    }
}

private final class Counter: Sendable {
    private let value: Mutex<UInt64>

    init(_ start: UInt64) {
        value = Mutex(start)
    }

    func next() -> UInt64 {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

extension Result where Failure == any Error {
    /// Creates the result of asynchronous work.
    package init(_ work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
