internal import Hummingbird
internal import ServiceLifecycle
internal import WaypostSchema

/// A wish to be answered once a batch is settled: `?wait=settled&timeout=2s`.
struct BatchWait {
    /// The longest wait, so that no connection is forgotten.
    static let longestTimeout = Duration.seconds(60)

    let timeout: Duration

    /// Reads a request's query; `nil` where there is no such wish.
    init?(_ request: Request) throws(GatewayFault) {
        let query = request.uri.queryParameters
        let timeout = try Self.duration(query["timeout"].map(String.init) ?? "10s")
        guard let wait = query["wait"] else { return nil }
        guard wait == "settled" else {
            throw .badParameter(name: "wait", "'\(wait)' cannot be waited for; 'settled' can")
        }
        self.timeout = timeout
    }

    private static func duration(_ text: String) throws(GatewayFault) -> Duration {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let duration: Duration? =
            switch (Int(digits), text.dropFirst(digits.count)) {
            case (let count?, "ms"): .milliseconds(count)
            case (let count?, "s"): .seconds(count)
            default: nil
            }
        guard let duration, duration <= longestTimeout else {
            throw .badParameter(name: "timeout", "'\(text)' is no time such as 500ms or 2s, of 60s at most")
        }
        return duration
    }

    /// Returns what has become of a batch once it is settled, the time is over or the gateway shuts down.
    func settledStatus(of batch: BatchID, in namespace: Namespace, _ mailroom: Mailroom) async throws -> BatchStatus {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await mailroom.settledStatus(of: batch, in: namespace) }
                group.addTask { try? await Task.sleep(for: timeout) }
                try await group.next()
                group.cancelAll()
            }
        }
        return try await mailroom.status(of: batch, in: namespace)
    }
}
