internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// `/v1/channels`: the broadcast channels of an app, for people; providers manage them at the provider listener.
struct ChannelRoutes {
    let store: StoreAccess

    func add(to router: Router<ServiceContext>) {
        router.get("v1/channels") { request, _ in
            guard let topic = request.uri.queryParameters["topic"] else {
                throw RequestError.badParameter(name: "topic", "name the app: ?topic=com.example.app")
            }
            let (app, namespace) = (Topic(rawValue: String(topic)), try request.namespace)
            let channels = try await store.call { try await $0.channels(of: app, in: namespace) }
            return try JSONResponse.make(
                channels.map {
                    ChannelSummary(
                        id: $0.id,
                        app: $0.app,
                        environment: $0.environment,
                        storesNewest: $0.policy == .newest
                    )
                }
            )
        }
    }
}
