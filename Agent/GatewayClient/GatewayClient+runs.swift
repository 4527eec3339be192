package import WaypostSchema

/// Calls about runs that report to the gateway.
extension GatewayClient {
    /// The time-out of a report; a run ends only after its last report.
    private static let reportTimeout = Duration.seconds(5)

    /// Announces a run.
    package func announce(_ run: RunAnnouncement) async throws(CallError) -> ReportedRun {
        try await service.post("/v1/runs", run)
    }

    /// Reports events of a run; without events, reports only that the run continues.
    package func report(_ events: [RunEvent], of id: RunID) async throws(CallError) {
        let path = "/v1/runs/\(PercentEncoding.escaped(id.rawValue))/events"
        try await service.send(.post, path, body: RunEventList(events: events), timeout: Self.reportTimeout)
    }
}
