package import WaypostSchema

/// Calls about runs that report to the gateway.
extension GatewayClient {
    /// Announces a run.
    package func announce(_ run: RunAnnouncement) async throws(CallError) -> ReportedRun {
        try await service.post("/v1/runs", run)
    }

    /// Reports events of a run; without any, only that it goes on.
    package func report(_ events: [RunEvent], of id: RunID) async throws(CallError) {
        try await service.tell(.post, "/v1/runs/\(PathText.escaped(id.rawValue))/events", RunEventList(events: events))
    }
}
