internal import DeviceModel
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
            let (query, limit) = (try request.requiredParameter("q"), try request.number("limit", default: 20))
            return try await list(request, context) { $0.sharing.search(query, limit: limit) }
        }
    }
}
