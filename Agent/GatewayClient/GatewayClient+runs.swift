package import WaypostSchema

/// Calls about runs that report to the gateway.
extension GatewayClient {
    /// The longest wait for an answer to a report; the end of a run waits for its last one.
    private static let maximumReportEvents = Duration.seconds(5)

    /// Announces a run.
    package func announce(_ run: RunAnnouncement) async throws(CallError) -> ReportedRun {
        try await service.post("/v1/runs", run)
    }

    /// Reports events of a run; without any, only that it goes on.
    package func report(_ events: [RunEvent], of id: RunID) async throws(CallError) {
        let path = "/v1/runs/\(PathText.escaped(id.rawValue))/events"
        try await service.tell(.post, path, body: RunEventList(events: events), timeout: Self.maximumReportEvents)
    }
}
