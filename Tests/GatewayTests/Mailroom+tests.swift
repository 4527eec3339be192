import GatewayStore
import GatewayTestSupport
import Logging
import WaypostSchema

@testable import Gateway

extension Mailroom {
    /// A mailroom without a gateway, its store in memory.
    static func forTests() throws -> Mailroom {
        let (store, sources) = (try SQLiteStore.inMemory(), GatewaySources.forTests())
        return Mailroom(
            store: store,
            clocks: NamespaceClocks(.system, store: store, sources: sources),
            sources: sources,
            sessions: DeviceSessions(),
            metrics: GatewayMetrics(),
            logger: .quiet
        )
    }
}
