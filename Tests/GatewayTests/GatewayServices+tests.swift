import GatewayStore
import GatewayTestSupport
import Logging
import WaypostSchema

@testable import Gateway

extension GatewayServices {
    /// The services of a gateway without listeners, its store in memory.
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
