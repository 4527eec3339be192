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

    /// The times for calls that cannot wait for the store.
    private let times = Mutex(ManualClockTimes())

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
        if let now = try await storedTime(of: namespace) { return (now, true) }
        let now = sources.now()
        return await start(namespace, at: now).map { ($0, true) } ?? (now, false)
    }

    /// Starts the manual clock of a namespace at a time, if the namespace exists and the clock has not started.
    ///
    /// - Returns: the time that the clock shows now; `nil` if there is no such namespace, or if the store fails. Then the
    ///   next reading starts the clock.
    @discardableResult
    func start(_ namespace: Namespace, at start: Timestamp) async -> Timestamp? {
        let read = beginRead(of: namespace)
        defer { cancel(read) }
        guard let now = try? await store.startClock(of: namespace, at: start) else { return nil }
        await end(read, with: now)
        return now
    }

    /// Returns the current time of a namespace, which is created if it does not exist.
    func startedNow(in namespace: Namespace) async throws(StoreError) -> Timestamp {
        guard source == .manual else { return sources.now() }
        if let now = try await storedTime(of: namespace) { return now }
        let start = try await move(namespace) { $0 }
        return start.get()
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
        times.withLock { $0[namespace] }
    }

    /// The namespaces whose manual clocks were read.
    var readNamespaces: [Namespace] {
        times.withLock(\.namespaces)
    }

    /// Moves a manual clock forward and returns its new time; concurrent steps add up.
    ///
    /// - Throws: `GatewayError.clockIsSystem`, `malformedBody` and `store`.
    func advance(_ namespace: Namespace, _ advance: ClockAdvance) async throws(GatewayError) -> Timestamp {
        guard source == .manual else { throw .clockIsSystem }
        let result: Result<Timestamp, GatewayError>
        do throws(StoreError) {
            result = try await move(namespace) { now throws(GatewayError) in
                try advance.checkedDestination(from: now)
            }
        } catch {
            throw .store(error)
        }
        return try result.get()
    }

    /// Reads a manual clock if it exists; if the store fails, the time that was last read stays.
    func reload(_ namespace: Namespace) async {
        guard source == .manual else { return }
        _ = try? await storedTime(of: namespace)
    }

    /// Reads a manual clock that may show an earlier time, or be gone: its namespace may have been reset, and the event
    /// may be missing.
    ///
    /// Otherwise the streams of the namespace would skip notifications as expired that are not. If the store fails, the
    /// next read replaces the time.
    func replace(_ namespace: Namespace) async {
        times.withLock { $0.markAsOutdated(namespace) }
        await reload(namespace)
    }

    /// Forgets a clock that was removed from the store; `reload` should follow.
    ///
    /// The namespace may exist again, and its clock may have been read already.
    func forget(_ namespace: Namespace) {
        times.withLock { $0.forget(namespace) }
    }
}

/// Calls of the store, whose results are recorded.
extension NamespaceClocks {
    private func storedTime(of namespace: Namespace) async throws(StoreError) -> Timestamp? {
        let read = beginRead(of: namespace)
        defer { cancel(read) }
        let now = try await store.clock(of: namespace)
        await end(read, with: now)
        return now
    }

    private func move<Refusal: Error>(
        _ namespace: Namespace,
        to destination: @escaping @Sendable (Timestamp) throws(Refusal) -> Timestamp
    ) async throws(StoreError) -> Result<Timestamp, Refusal> {
        let read = beginRead(of: namespace)
        defer { cancel(read) }
        let result = try await store.moveClock(of: namespace, startingAt: sources.now(), to: destination)
        if case .success(let now) = result { await end(read, with: now) }
        return result
    }

    private func beginRead(of namespace: Namespace) -> ManualClockTimes.Read {
        times.withLock { $0.beginRead(of: namespace) }
    }

    private func cancel(_ read: ManualClockTimes.Read) {
        times.withLock { $0.cancel(read) }
    }

    /// Records the result of a read; if it does not count, the clock is read again.
    private func end(_ read: ManualClockTimes.Read, with now: Timestamp?) async {
        let counts = times.withLock { $0.end(read, with: now) }
        if !counts { await reload(read.namespace) }
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
