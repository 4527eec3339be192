internal import GatewayStore
internal import LocalService
internal import Synchronization
internal import WaypostSchema

/// The clock of each namespace: the system's clock, or a manual one.
///
/// A manual clock starts at the system's time when something is first stored in its namespace, or when `/v1/clock` is
/// first called for it, and then stands still until it is moved. It is kept in the store, so that a restart does not
/// change it, and every gateway on the store reads it there.
final class NamespaceClocks: Sendable {
    let source: ClockReading.Source
    private let store: any GatewayStore
    let sources: GatewaySources

    /// The times of the manual clocks as last read, for calls that cannot wait for the store.
    private let lastReadTimes = Mutex<[Namespace: Timestamp]>([:])

    init(_ source: ClockReading.Source, store: any GatewayStore, sources: GatewaySources) {
        self.source = source
        self.store = store
        self.sources = sources
    }

    /// Returns the current time of a namespace.
    ///
    /// It does not create a namespace: a request may be handled after its namespace was deleted.
    func now(in namespace: Namespace) async throws(StoreError) -> Timestamp {
        try await reading(in: namespace).now
    }

    /// Returns the current time of a namespace, and whether its clock has started; the system's always has.
    func reading(in namespace: Namespace) async throws(StoreError) -> (now: Timestamp, hasStarted: Bool) {
        guard source == .manual else { return (sources.now(), true) }
        if let now = try await store.clock(of: namespace) { return (record(now, in: namespace), true) }
        let now = sources.now()
        return await start(namespace, at: now).map { ($0, true) } ?? (now, false)
    }

    /// Starts the manual clock of a namespace at a time, if the namespace exists and the clock has not started.
    ///
    /// - Returns: the time that the clock shows now; `nil` if there is no such namespace, or if the store fails. Then the
    ///   next reading starts the clock.
    @discardableResult
    func start(_ namespace: Namespace, at start: Timestamp) async -> Timestamp? {
        (try? await store.startClock(of: namespace, at: start)).map { record($0, in: namespace) }
    }

    /// Returns the current time of a namespace, which is created if it does not exist.
    func startedNow(in namespace: Namespace) async throws(StoreError) -> Timestamp {
        guard source == .manual else { return sources.now() }
        if let now = try await store.clock(of: namespace) { return record(now, in: namespace) }
        let start = try await store.moveClock(of: namespace, startingAt: sources.now()) { $0 }
        return record(start.get(), in: namespace)
    }

    /// Returns the current time of a namespace without asking the store: a manual clock as this gateway last read it.
    func cachedNow(in namespace: Namespace) -> Timestamp {
        switch source {
        case .system: sources.now()
        case .manual: lastReadTime(in: namespace) ?? sources.now()
        }
    }

    /// The current time of every namespace; `nil` with manual clocks, which differ.
    var systemTime: Timestamp? {
        source == .system ? sources.now() : nil
    }

    /// Returns the time of a manual clock as this gateway last read it; `nil` if it has not.
    func lastReadTime(in namespace: Namespace) -> Timestamp? {
        lastReadTimes.withLock { $0[namespace] }
    }

    /// Moves a manual clock forward and returns its new time; concurrent steps add up.
    ///
    /// - Throws: `GatewayError.clockIsSystem`, `malformedBody` and `store`.
    func advance(_ namespace: Namespace, _ advance: ClockAdvance) async throws(GatewayError) -> Timestamp {
        guard source == .manual else { throw .clockIsSystem }
        let move: Result<Timestamp, GatewayError>
        do throws(StoreError) {
            move = try await store.moveClock(of: namespace, startingAt: sources.now()) { now throws(GatewayError) in
                try advance.checkedDestination(from: now)
            }
        } catch {
            throw .store(error)
        }
        return record(try move.get(), in: namespace)
    }

    /// Reads a manual clock if it exists; if the store fails, the time that was last read stays.
    func reload(_ namespace: Namespace) async {
        guard source == .manual, let now = try? await store.clock(of: namespace) else { return }
        record(now, in: namespace)
    }

    /// Reads a manual clock if it exists, even if it shows an earlier time: its namespace may have been reset, and the
    /// event may be missing.
    ///
    /// Otherwise the streams of the namespace would skip notifications as expired that are not.
    func replace(_ namespace: Namespace) async {
        guard source == .manual, let now = try? await store.clock(of: namespace) else { return }
        lastReadTimes.withLock { $0[namespace] = now }
    }

    /// Records the time that a clock shows; reads that end out of order do not move it back.
    @discardableResult
    private func record(_ now: Timestamp, in namespace: Namespace) -> Timestamp {
        lastReadTimes.withLock { $0[namespace] = max($0[namespace] ?? now, now) }
        return now
    }

    /// The namespaces whose manual clocks were read.
    var readNamespaces: [Namespace] {
        lastReadTimes.withLock { Array($0.keys) }
    }

    /// Forgets a clock that was removed from the store.
    func forget(_ namespace: Namespace) {
        lastReadTimes.withLock { $0[namespace] = nil }
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
            case .needsByOrTo:
                throw .malformedBody(#"use either 'by' (milliseconds) or 'to' (a timestamp), as in {"by":60000}"#)
            case .goesBack(field: "by"): throw .malformedBody("'by' must be 0 milliseconds or more")
            case .goesBack:
                throw .malformedBody("'to' must not be before the current time, which is \(now.rawValue)")
            case .exceedsMaximum: throw .malformedBody("'by' is too large: the clock would overflow")
            }
        }
    }
}
