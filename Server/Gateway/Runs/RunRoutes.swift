internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// `/v1/runs`: the runs of scenarios, load tests, fleets and trials of providers that report to this gateway.
struct RunRoutes {
    /// The maximum size of the name of a run, in bytes.
    private static let maximumNameLength = 500

    let runs: ReportedRuns

    func add(to router: Router<ServiceContext>) {
        router.get("v1/runs") { request, _ in
            try JSONResponse.make(ReportedRunList(runs: runs.list(in: try request.namespace)))
        }
        router.post("v1/runs") { request, _ in
            let announcement = try await JSONBody.decode(RunAnnouncement.self, from: request)
            guard announcement.name.utf8.count <= Self.maximumNameLength else {
                throw RequestError.malformedBody(
                    "name: it is longer than \(Self.maximumNameLength) bytes; give a shorter one"
                )
            }
            return try JSONResponse.make(runs.add(announcement, to: try request.namespace), status: .created)
        }
        router.get("v1/runs/:id/events") { request, context in
            let query = request.uri.queryParameters
            let events = try runs.events(
                of: RunID(rawValue: try context.pathComponent("id")),
                in: try request.namespace,
                after: try NotificationQuery.after(in: query) ?? 0,
                limit: try NotificationQuery.limit(in: query)
            )
            return try JSONResponse.make(RunEventList(events: events), compressing: request.acceptsGzip)
        }
        router.post("v1/runs/:id/events") { request, context in
            let body = try await JSONBody.bytes(of: request)
            let events = try JSONBody.decode(RunEventList.self, from: body).events
            if let message = Self.timelineError(in: events) { throw RequestError.malformedBody(message) }
            let run = try runs.append(
                events,
                size: body.count,
                to: RunID(rawValue: try context.pathComponent("id")),
                in: try request.namespace
            )
            return try JSONResponse.make(run)
        }
    }

    /// Returns why the timeline of a trial is not accepted, or `nil` if all are.
    private static func timelineError(in events: [RunEvent]) -> String? {
        for case .trial(let result) in events {
            let count = result.timeline?.requests.count ?? 0
            if count > ProviderTrialTimeline.maximumRequests {
                return """
                    events: the timeline of '\(result.trial)' has \(count) requests; report the first \
                    \(ProviderTrialTimeline.maximumRequests)
                    """
            }
        }
        return nil
    }
}
