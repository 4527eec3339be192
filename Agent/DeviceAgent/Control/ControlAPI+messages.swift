internal import DeviceModel
internal import HTTPTypes
internal import Highlights
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// Messages and Contacts, as the user sees them.
extension ControlAPI {
    func addMessageRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/contacts") { request, context in
            try await list(request, context, read: \.sharing.contacts)
        }
        router.get("v1/devices/:name/conversations") { request, context in
            try await list(request, context, read: \.sharing.conversations)
        }
        router.get("v1/devices/:name/messages") { request, context in
            try await list(request, context, read: \.sharing.messages)
        }
        router.get("v1/devices/:name/sharing") { _, context in
            try JSONResponse.make(try device(context).store.model.sharing.settings)
        }
        router.get("v1/devices/:name/search") { request, context in
            try await search(request, context)
        }
    }

    /// Returns the links that a search finds; if there are more, a header says so.
    private func search(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (query, limit) = (try request.requiredParameter("q"), try request.limit())
        let device = try device(context).store
        let links = try await ListWait(request, context)
            .list(
                after: device.changes,
                sources,
                // One more shows whether there are more.
                read: { device.model.sharing.search(query, limit: limit + 1) },
                count: { min($0.count, limit) }
            )
        var headers: HTTPFields = [:]
        if links.count > limit, let name = HTTPField.Name("waypost-message") {
            headers[name] = "more links match; raise the limit, or search for more words"
        }
        return try JSONResponse.make(Array(links.prefix(limit)), headers: headers)
    }
}
