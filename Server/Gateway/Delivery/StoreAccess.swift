internal import GatewayStore
internal import LocalService
internal import Logging
internal import Synchronization
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
            throw gatewayError(of: error)
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

    /// Returns the current time of a namespace.
    func now(in namespace: Namespace) async throws(GatewayError) -> Timestamp {
        do {
            return try await clocks.now(in: namespace)
        } catch {
            throw gatewayError(of: error)
        }
    }

    private func gatewayError(of error: any Error) -> GatewayError {
        // A store throws no other errors.
        guard let error = error as? StoreError else { return .internalError }
        if case .failed(let reason) = error { logger.error("the store failed", metadata: ["error": "\(reason)"]) }
        return .store(error)
    }
}

/// The clock of each namespace: the system's clock, or a manual one.
///
/// A manual clock starts at the system's time when its namespace is first used, and then stands still until it is
/// moved. It is kept in the store, so that a restart does not change it.
final class NamespaceClocks: Sendable {
    let source: ClockReading.Source
    private let store: any GatewayStore
    private let sources: GatewaySources
    private let manual = Mutex<[Namespace: Timestamp]>([:])

    init(_ source: ClockReading.Source, store: any GatewayStore, sources: GatewaySources) {
        self.source = source
        self.store = store
        self.sources = sources
    }

    /// Returns the current time of a namespace.
    func now(in namespace: Namespace) async throws(StoreError) -> Timestamp {
        switch source {
        case .system: sources.now()
        case .manual: try await manualTime(of: namespace)
        }
    }

    /// Returns the current time of a namespace whose clock was read before.
    func present(in namespace: Namespace) -> Timestamp {
        switch source {
        case .system: sources.now()
        case .manual: manual.withLock { $0[namespace] } ?? sources.now()
        }
    }

    private func manualTime(of namespace: Namespace) async throws(StoreError) -> Timestamp {
        if let now = manual.withLock({ $0[namespace] }) { return now }
        if let kept = try await store.clock(of: namespace) { return begin(namespace, at: kept) }
        let now = begin(namespace, at: sources.now())
        try await keep(now, of: namespace)
        return now
    }

    /// Starts a clock; the first caller decides its time.
    private func begin(_ namespace: Namespace, at now: Timestamp) -> Timestamp {
        manual.withLock { clocks in
            let first = clocks[namespace] ?? now
            clocks[namespace] = first
            return first
        }
    }

    /// Moves a manual clock forward and returns its new time.
    ///
    /// Concurrent steps add up: each takes effect at once and is then stored. The stored clock only moves forward, so
    /// the order in which the steps are stored does not matter.
    ///
    /// - Throws: `GatewayError.clockIsSystem`, `malformedBody` and `store`.
    func advance(_ namespace: Namespace, _ advance: ClockAdvance) async throws(GatewayError) -> Timestamp {
        guard source == .manual else { throw .clockIsSystem }
        do throws(StoreError) {
            _ = try await now(in: namespace)
        } catch {
            throw .store(error)
        }
        let now = try manual.withLock { clocks throws(GatewayError) in
            let now = try advance.checkedDestination(from: clocks[namespace] ?? sources.now())
            clocks[namespace] = now
            return now
        }
        do throws(StoreError) {
            try await keep(now, of: namespace)
        } catch {
            throw .store(error)
        }
        return now
    }

    /// Stores the time of a clock; if that fails, the clock is read from the store again.
    private func keep(_ now: Timestamp, of namespace: Namespace) async throws(StoreError) {
        do throws(StoreError) {
            try await store.setClock(of: namespace, to: now)
        } catch {
            forget(namespace)
            throw error
        }
    }

    /// Removes the cached time of a namespace's clock: it was reset, or it must be read from the store again.
    func forget(_ namespace: Namespace) {
        manual.withLock { $0[namespace] = nil }
    }
}

extension ClockAdvance {
    /// Returns the time of a clock after the advance, given that it shows `now`.
    ///
    /// - Throws: `GatewayError.malformedBody` if the clock cannot be moved there.
    fileprivate func checkedDestination(from now: Timestamp) throws(GatewayError) -> Timestamp {
        do throws(ClockAdvanceError) {
            return try destination(from: now)
        } catch {
            switch error {
            case .needsOneOfTwo:
                throw .malformedBody(#"use either 'by' (milliseconds) or 'to' (a timestamp), as in {"by":60000}"#)
            case .goesBack(field: "by"): throw .malformedBody("'by' must be 0 milliseconds or more")
            case .goesBack:
                throw .malformedBody("'to' must not be before the current time, which is \(now.rawValue)")
            case .pastTheEnd: throw .malformedBody("'by' is too large: the clock would overflow")
            }
        }
    }
}
