internal import GatewayStore
internal import ServiceLifecycle

/// Periodically removes expired notifications from the inboxes; of several gateways, one does it.
///
/// An expired notification is never delivered, even before it is removed. Removing it frees space and notifies waiters.
struct Sweeper: Service {
    let delivery: DeliveryService
    let cluster: Cluster
    let interval: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                if cluster.current.members.isSelfLeader { await delivery.expireInAllNamespaces() }
            }
        }
    }
}
