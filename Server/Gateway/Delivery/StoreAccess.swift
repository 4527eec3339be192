internal import GatewayStore
internal import LocalService
internal import Logging
internal import Synchronization
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

/// The clock of each namespace: the system's, or one that moves when it is told to.
///
/// A manual clock begins at the system's time when its namespace is first used, stands still from then on, and is kept
/// in the store, so that a restart does not move it.
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

    /// Returns the present moment of a namespace.
    func now(in namespace: Namespace) async throws(StoreError) -> Timestamp {
        switch source {
        case .system: sources.now()
        case .manual: try await manualTime(of: namespace)
        }
    }

    /// Returns the present moment of a namespace whose clock was asked before.
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

    /// The first caller decides when a clock begins.
    private func begin(_ namespace: Namespace, at now: Timestamp) -> Timestamp {
        manual.withLock { clocks in
            let first = clocks[namespace] ?? now
            clocks[namespace] = first
            return first
        }
    }

    /// Moves a manual clock forward, and returns what it shows then.
    ///
    /// Steps that come together add up: each is made at once, and then kept. The store's clock only goes forward too, so
    /// that it does not matter in which order they are kept.
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

    /// Keeps what a clock shows; if the store does not take it, the store is asked again.
    private func keep(_ now: Timestamp, of namespace: Namespace) async throws(StoreError) {
        do throws(StoreError) {
            try await store.setClock(of: namespace, to: now)
        } catch {
            forget(namespace)
            throw error
        }
    }

    /// Forgets what a namespace's clock shows: it was reset, or the store is to be asked again.
    func forget(_ namespace: Namespace) {
        manual.withLock { $0[namespace] = nil }
    }
}

extension ClockAdvance {
    /// Returns where a clock that shows `now` is moved to.
    ///
    /// - Throws: `GatewayError.malformedBody`.
    fileprivate func checkedDestination(from now: Timestamp) throws(GatewayError) -> Timestamp {
        do throws(ClockAdvanceError) {
            return try destination(from: now)
        } catch {
            switch error {
            case .needsOneOfTwo:
                throw .malformedBody(#"one of 'by' (milliseconds) and 'to' (a moment) is needed, as in {"by":60000}"#)
            case .goesBack(field: "by"): throw .malformedBody("'by' must be 0 milliseconds or more")
            case .goesBack:
                throw .malformedBody("'to' must not be before the present moment, which is \(now.rawValue)")
            case .pastTheEnd: throw .malformedBody("'by' is past the end of time")
            }
        }
    }
}
