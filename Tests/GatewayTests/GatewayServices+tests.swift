import GatewayStore
import GatewayTestSupport
import Logging
import WaypostSchema

@testable import Gateway

extension GatewayServices {
    /// Returns the services of a gateway that has no listeners and keeps its store in memory.
    static func forTests() throws -> Self {
        Self(
            try SQLiteStore.inMemory(),
            .forTests,
            nil,
            sources: .forTests(),
            metrics: GatewayMetrics(),
            logger: .quiet
        )
    }
}
