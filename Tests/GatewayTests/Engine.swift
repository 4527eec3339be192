import Gateway
import GatewayTestSupport
import WaypostSchema
import WaypostTestSupport

/// An engine that a gateway of a test keeps its notifications in.
enum Engine: String, CaseIterable, Sendable {
    case memory
    case sqlite

    /// Runs `body` beside a gateway with an empty store of this engine.
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
    /// The same, with notifications kept as `store` says.
    func keeping(_ store: StoreChoice) -> Self {
        var configuration = self
        configuration.store = store
        return configuration
    }

    /// The same, with clocks that move when they are told to.
    var withManualClock: Self {
        var configuration = self
        configuration.clock = .manual
        return configuration
    }
}
