import Gateway
import GatewayTestSupport
import StoreTestSupport
import WaypostSchema
import WaypostTestSupport

/// The store engine of a test gateway.
enum Engine: String, CaseIterable, Sendable {
    case memory
    case sqlite

    /// The second engine of the tests: it delivers by payloads, nudges and events, some of which are late, repeated or
    /// lost.
    case oracle

    /// The name of the configured store.
    var storeName: String {
        self == .sqlite ? "sqlite" : "memory"
    }

    /// Runs a gateway with an empty store of this engine, and passes it to `body`.
    ///
    /// `losing` says whether the oracle loses events, after which a stream that follows the log ends.
    func run<Value: Sendable>(
        _ configuration: GatewayConfiguration = .forTests,
        sources: GatewaySources = .forTests(),
        losing: Bool = true,
        _ body: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> Value {
        let folder = try ScratchFolder()
        let configuration = configuration.keeping(self == .sqlite ? .sqlite(folder: folder.path(of: "data")) : .memory)
        let delivering = OracleStore.Delivering.mixed(seed: 27, losing: losing)
        let store = self == .oracle ? OracleStore.open(handles: 1, delivering: delivering).first : nil
        let value = try await RunningGateway.run(configuration, sources: sources, store: store, body)
        withExtendedLifetime(folder) {}
        return value
    }
}

extension GatewayConfiguration {
    /// Returns a copy that uses the store `store`.
    func keeping(_ store: StoreChoice) -> Self {
        var configuration = self
        configuration.store = store
        return configuration
    }

    /// A copy with manual clocks, which move only on request.
    var withManualClock: Self {
        var configuration = self
        configuration.clock = .manual
        return configuration
    }
}
