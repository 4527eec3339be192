internal import Hummingbird
internal import WaypostSchema

/// A wish to be answered once a batch is settled: `?wait=settled&timeout=2s`.
struct BatchWait {
    private let timeout: WaitTimeout

    /// Reads a request's query; `nil` where there is no such wish.
    init?(_ request: Request) throws(GatewayFault) {
        let timeout = try WaitTimeout(request)
        guard let wait = request.uri.queryParameters["wait"] else { return nil }
        guard wait == "settled" else {
            throw .badParameter(name: "wait", "'\(wait)' cannot be waited for; 'settled' can")
        }
        self.timeout = timeout
    }

    /// Returns what has become of a batch once it is settled, the time is over or the gateway shuts down.
    func settledStatus(of batch: BatchID, in namespace: Namespace, _ mailroom: Mailroom) async throws -> BatchStatus {
        try await timeout.wait { _ = try await mailroom.settledStatus(of: batch, in: namespace) }
        return try await mailroom.status(of: batch, in: namespace)
    }
}
