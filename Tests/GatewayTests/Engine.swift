import Gateway
import GatewayTestSupport
import WaypostSchema
import WaypostTestSupport

/// The store engine of a test gateway.
enum Engine: String, CaseIterable, Sendable {
    case memory
    case sqlite

    /// Runs a gateway with an empty store of this engine, and passes it to `body`.
    func run<Value: Sendable>(
        _ configuration: GatewayConfiguration = .forTests,
        sources: GatewaySources = .forTests(),
        _ body: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> Value {
        let folder = try ScratchFolder()
        let configuration = configuration.keeping(self == .memory ? .memory : .sqlite(folder: folder.path(of: "data")))
        let value = try await RunningGateway.run(configuration, sources: sources, body)
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
