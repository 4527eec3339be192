import GatewayStore
import GatewayTestSupport
import Logging
import WaypostSchema

@testable import Gateway

extension GatewayServices {
    /// Returns the services of a gateway that has no listeners and keeps its store in memory.
    static func forTests() throws -> Self {
        forTests(try SQLiteStore.inMemory())
    }

    /// Returns the services of a gateway that has no listeners.
    static func forTests(
        _ store: any GatewayStore,
        _ configuration: GatewayConfiguration = .forTests,
        sources: GatewaySources = .forTests()
    ) -> Self {
        Self(
            store,
            configuration,
            authorities: nil,
            sources: sources,
            metrics: GatewayMetrics(),
            logger: .quiet
        )
    }
}
