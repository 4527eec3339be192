internal import GatewayStore
internal import Logging
internal import WaypostSchema

/// The store as the gateway's services call it: its errors are the gateway's, and the time is the namespace's.
struct StoreAccess: Sendable {
    let store: any GatewayStore
    let clocks: NamespaceClocks
    let logger: Logger

    /// Runs a store operation and maps its error to a gateway error.
    func call<Value: Sendable>(
        _ operation: (any GatewayStore) async throws -> Value
    ) async throws(GatewayError) -> Value {
        do {
            return try await operation(store)
        } catch {
            throw gatewayError(of: error)
        }
    }

    /// Runs a store operation at the present moment of a namespace and maps its error to a gateway error.
    func call<Value: Sendable>(
        in namespace: Namespace,
        _ operation: (any GatewayStore, Timestamp) async throws -> Value
    ) async throws(GatewayError) -> Value {
        let now = try await now(in: namespace)
        return try await call { try await operation($0, now) }
    }

    /// Returns the present moment of a namespace.
    func now(in namespace: Namespace) async throws(GatewayError) -> Timestamp {
        do {
            return try await clocks.now(in: namespace)
        } catch {
            throw gatewayError(of: error)
        }
    }

    private func gatewayError(of error: any Error) -> GatewayError {
        // A store throws nothing else.
        guard let error = error as? StoreError else { return .internalError }
        if case .failed(let reason) = error { logger.error("the store failed", metadata: ["error": "\(reason)"]) }
        return .store(error)
    }
}
