package import AsyncHTTPClient
package import Gateway
internal import GatewayClient
package import Logging
internal import Synchronization
package import WaypostSchema

/// A gateway that runs inside the test's process, on free ports.
package struct RunningGateway: Sendable {
    /// Where it listens.
    package let ready: GatewayReadyFile

    /// A client that is shut down with it.
    package let http: HTTPClient

    /// Runs `body` beside a gateway, which is stopped when `body` returns.
    package static func run<Value: Sendable>(
        _ configuration: GatewayConfiguration = .forTests,
        sources: GatewaySources = .forTests(),
        _ body: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> Value {
        let http = HTTPClient(eventLoopGroupProvider: .singleton)
        let outcome = await Result { try await run(configuration, sources, http, body) }
        try await http.shutdown()
        return try outcome.get()
    }

    private static func run<Value: Sendable>(
        _ configuration: GatewayConfiguration,
        _ sources: GatewaySources,
        _ http: HTTPClient,
        _ body: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            let (announcements, announce) = AsyncStream.makeStream(of: GatewayReadyFile.self)
            group.addTask {
                defer { announce.finish() }
                let gateway = Gateway(configuration: configuration, sources: sources, logger: .quiet)
                try await gateway.run { announce.yield($0) }
                return nil
            }
            group.addTask {
                for await ready in announcements { return try await body(RunningGateway(ready: ready, http: http)) }
                return nil
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }
}

extension Logger {
    /// A logger that says nothing.
    package static var quiet: Logger {
        Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
    }
}

extension GatewayConfiguration {
    /// Free ports, and little to wait for.
    package static var forTests: Self {
        var configuration = Self()
        configuration.servicePort = 0
        configuration.courierPort = 0
        return configuration
    }
}

extension GatewaySources {
    /// A clock that stands still, and random numbers that are counted.
    package static func forTests(now: Timestamp = Timestamp(milliseconds: 1_790_000_000_000)) -> Self {
        let count = Counter()
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
    private let value = Mutex<UInt64>(0)

    func next() -> UInt64 {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

extension Result where Failure == any Error {
    /// The outcome of asynchronous work.
    package init(_ work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
