import GatewayStore
import Logging
import Synchronization
import WaypostSchema

@testable import Gateway

/// A gateway without listeners, for the handlers of connections.
enum FuzzGateway {
    /// The configuration, with the defaults.
    static let configuration = GatewayConfiguration()

    /// A logger that discards its messages.
    static let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }

    /// The number of connections after which a new gateway begins, because nothing stores what the old one has queued.
    private static let maximumUses = 1_000

    private static let state = Mutex<(services: GatewayServices, remainingUses: Int)?>(nil)

    /// The services for the next connection.
    static var services: GatewayServices {
        state.withLock { state in
            if let current = state, current.remainingUses > 0 {
                state = (services: current.services, remainingUses: current.remainingUses - 1)
                return current.services
            }
            let services = makeServices()
            state = (services: services, remainingUses: maximumUses)
            return services
        }
    }

    private static func makeServices() -> GatewayServices {
        guard let store = try? SQLiteStore.inMemory() else { endUnprepared("the store cannot be opened") }
        let sources = GatewaySources(
            now: { Timestamp(milliseconds: 1_790_000_000_000) },
            randomBytes: { [UInt8](repeating: 7, count: $0) }
        )
        return GatewayServices(
            store,
            configuration,
            authorities: nil,
            sources: sources,
            metrics: GatewayMetrics(),
            logger: logger
        )
    }
}
