package import Hummingbird
internal import ServiceLifecycle

/// The maximum time that a request waits: `timeout=2s`.
package struct WaitTimeout: Sendable {
    /// The maximum time-out, so that no connection waits forever.
    private static let maximum = Duration.seconds(60)

    private let duration: Duration

    /// Reads the time-out from a request's query; the default is 10 seconds.
    ///
    /// - Throws: `RequestError.badParameter` if it is not a time of at most 60 seconds.
    package init(_ request: Request) throws(RequestError) {
        let value = request.uri.queryParameters["timeout"] ?? "10s"
        guard let milliseconds = TimeSpan.milliseconds(value, units: [.millisecond, .second]),
            .milliseconds(milliseconds) <= Self.maximum
        else {
            throw .badParameter(name: "timeout", "'\(value)' is not valid; use a time such as 500ms or 2s, at most 60s")
        }
        duration = .milliseconds(milliseconds)
    }

    /// Creates a time-out of 10 seconds, the default of requests.
    package init() {
        duration = .seconds(10)
    }

    /// Waits until `condition` returns, the time-out expires, the service shuts down or the client disconnects.
    ///
    /// - Parameters:
    ///   - client: the context of the request that waits, if any.
    ///   - sleep: waits for a duration.
    ///   - condition: returns once there is nothing more to wait for.
    /// - Throws: any error of `condition`.
    package func wait(
        unlessDisconnected client: ServiceContext? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        until condition: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await condition() }
                group.addTask { try? await sleep(duration) }
                if let client { group.addTask { await client.waitForDisconnect() } }
                try await group.next()
                group.cancelAll()
            }
        }
    }
}
