internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// `/health`: whether the process answers, and whether it can take what is sent to it.
struct HealthRoutes {
    let monitor: HealthMonitor

    /// The store's name on the command line.
    let store: String

    /// Writes something to the store.
    let probe: @Sendable () async throws(StoreError) -> Void

    func add(to router: Router<BasicRequestContext>) {
        for path: RouterPath in ["health", "health/live"] {
            router.get(path) { _, _ in
                let courier = monitor.present.courier
                return try JSONResponse.make(Health(schema: SchemaVersion.current, store: store, courier: courier))
            }
        }
        router.get("health/ready") { _, _ in
            if monitor.present.isProbeDue(at: .now) { try? await probe() }
            let health = monitor.present
            let body = Health(
                status: health.isReady ? "ok" : "notReady",
                schema: SchemaVersion.current,
                store: store,
                courier: health.courier,
                checks: health.checks
            )
            return try JSONResponse.make(body, status: health.isReady ? .ok : .serviceUnavailable)
        }
    }
}
