internal import GatewayStore
internal import LocalService
internal import Logging
internal import WaypostSchema

/// The store as the gateway's services use it: with the gateway's errors and the namespace's time.
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
            throw gatewayError(for: error)
        }
    }

    /// Runs a store operation at the current time of a namespace and maps its error to a gateway error.
    func call<Value: Sendable>(
        in namespace: Namespace,
        _ operation: (any GatewayStore, Timestamp) async throws -> Value
    ) async throws(GatewayError) -> Value {
        let now = try await now(in: namespace)
        return try await call { try await operation($0, now) }
    }

    /// Runs a store operation that may create a namespace, and maps its error to a gateway error.
    ///
    /// If it has created the namespace, the clock there starts at the time of the operation.
    func call<Value: Sendable>(
        creating namespace: Namespace,
        _ operation: (any GatewayStore, Timestamp) async throws -> Value
    ) async throws(GatewayError) -> Value {
        let reading: (now: Timestamp, hasStarted: Bool)
        do {
            reading = try await clocks.reading(in: namespace)
        } catch {
            throw gatewayError(for: error)
        }
        let value = try await call { try await operation($0, reading.now) }
        if !reading.hasStarted { await clocks.start(namespace, at: reading.now) }
        return value
    }

    /// Returns the namespace of a device; the standard one if no device has the token.
    func namespace(of token: DeviceToken) async throws(GatewayError) -> Namespace {
        let registrations = try await call { try await $0.registrations(of: [token], withTopics: false) }
        return registrations[token]?.namespace ?? .standard
    }

    /// Returns the current time of a namespace.
    func now(in namespace: Namespace) async throws(GatewayError) -> Timestamp {
        do {
            return try await clocks.now(in: namespace)
        } catch {
            throw gatewayError(for: error)
        }
    }

    /// Returns the current time of a namespace, which is created if it does not exist.
    func startedNow(in namespace: Namespace) async throws(GatewayError) -> Timestamp {
        do {
            return try await clocks.startedNow(in: namespace)
        } catch {
            throw gatewayError(for: error)
        }
    }

    /// Reads a copy of stored data again; if that fails, logs the error and keeps the former copy.
    func reload(_ name: String, _ load: () async throws(GatewayError) -> Void) async {
        do throws(GatewayError) {
            try await load()
        } catch {
            logger.error("cannot read \(name) again", metadata: ["error": "\(error.message)"])
        }
    }

    private func gatewayError(for error: any Error) -> GatewayError {
        // A store throws no other errors.
        guard let error = error as? StoreError else { return .internalError }
        if case .failed(let reason) = error { logger.error("the store failed", metadata: ["error": "\(reason)"]) }
        return .store(error)
    }
}
