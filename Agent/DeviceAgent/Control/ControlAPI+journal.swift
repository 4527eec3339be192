internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// The journal of a device, a page at a time.
extension ControlAPI {
    /// The maximum number of entries on a page of a journal.
    private static let maximumPageSize = 1_000

    func addJournalRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/journal") { request, context in
            let device = try device(context).store
            let skippedCount = try request.number("after", default: 0, in: 0...Int.max)
            let limit = try request.number("limit", default: Self.maximumPageSize, in: 1...Self.maximumPageSize)
            let wait = try ListWait(request, context)
            _ = try await wait.list(
                after: device.changes,
                sources,
                read: { device.journalLength },
                count: { max(0, $0 - skippedCount) }
            )
            return try JSONResponse.make(try await device.journalPage(skipping: skippedCount, limit: limit))
        }
    }
}
