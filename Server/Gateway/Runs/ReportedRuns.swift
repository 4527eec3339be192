internal import LocalService
internal import Synchronization
internal import WaypostSchema

/// The runs of scenarios, load tests, fleets and trials of providers that report to this gateway, in memory.
final class ReportedRuns: Sendable {
    /// The maximum number of runs; the oldest is removed for a new one.
    static let capacity = 50

    /// The maximum number of steps and seconds of a run.
    static let maximumRunSteps = 10_000

    /// The maximum number of further events: the report, and the results of trials.
    static let maximumReportEvents = 500

    /// The maximum size of the events of a run, in bytes as they were sent, or of the records of trials in memory.
    static let maximumRunSize = 4 << 20

    /// The maximum size of the events of all runs.
    private static let maximumSize = 16 << 20

    /// The time in milliseconds after which a run that reports nothing counts as interrupted.
    static let maximumSilence = 60_000

    fileprivate struct Entry {
        let namespace: Namespace
        var run: ReportedRun
        var events: [RunEvent] = []
        var size = 0
        var lastReportAt: Timestamp

        /// Returns the run as of `now`: a run without a recent report counts as interrupted, as its program was killed.
        func currentRun(at now: Timestamp) -> ReportedRun {
            guard run.outcome == nil, now.rawValue - lastReportAt.rawValue > maximumSilence else { return run }
            var interrupted = run
            (interrupted.endedAt, interrupted.outcome) = (lastReportAt, .interrupted)
            return interrupted
        }
    }

    /// The runs, the oldest first.
    private let entries = Mutex<[Entry]>([])

    private let sources: GatewaySources

    /// Waiters for new runs and for events.
    let changes = ChangeNotifier<Namespace>()

    init(sources: GatewaySources) {
        self.sources = sources
    }

    /// Adds a run, and returns it.
    func add(_ announcement: RunAnnouncement, to namespace: Namespace) -> ReportedRun {
        let now = sources.now()
        let run = ReportedRun(
            id: RunID(rawValue: sources.makeUUID()),
            kind: announcement.kind,
            name: announcement.name,
            startedAt: now
        )
        let removed = entries.withLock { entries in
            entries.append(Entry(namespace: namespace, run: run, lastReportAt: now))
            return Self.removeOldest(of: &entries, keeping: run.id)
        }
        changes.notify(removed.union([namespace]))
        return run
    }

    /// Whether a namespace has a run that has not ended: its state changes when its reports stop.
    func hasOpenRuns(in namespace: Namespace) -> Bool {
        entries.withLock { $0.contains { $0.namespace == namespace && $0.run.outcome == nil } }
    }

    /// Returns the runs of a namespace, the latest first.
    func list(in namespace: Namespace) -> [ReportedRun] {
        let now = sources.now()
        return entries.withLock { $0.filter { $0.namespace == namespace }.reversed().map { $0.currentRun(at: now) } }
    }

    /// Adds events to a run; an empty list only shows that the run goes on.
    ///
    /// - Parameters:
    ///   - events: the events.
    ///   - size: their size in bytes.
    ///   - id: the run.
    ///   - namespace: the namespace of the run.
    /// - Returns: the run.
    /// - Throws: `GatewayError.unknownRun`, or `endedRun` if the run has ended.
    func append(
        _ events: [RunEvent],
        size: Int,
        to id: RunID,
        in namespace: Namespace
    ) throws(GatewayError) -> ReportedRun {
        let now = sources.now()
        let (result, removed) = entries.withLock { entries -> (Result<ReportedRun, GatewayError>, Set<Namespace>) in
            guard let index = entries.firstIndex(where: { $0.run.id == id && $0.namespace == namespace }) else {
                return (.failure(.unknownRun(id)), [])
            }
            guard entries[index].run.outcome == nil else { return (.failure(.endedRun(id)), []) }
            entries[index].lastReportAt = now
            for event in events {
                entries[index].append(event, size: max(size / events.count, event.recordSize), at: now)
            }
            return (.success(entries[index].run), Self.removeOldest(of: &entries, keeping: id))
        }
        changes.notify(events.isEmpty ? removed : removed.union([namespace]))
        return try result.get()
    }

    /// Returns the events of a run after a number of them.
    ///
    /// - Throws: `GatewayError.unknownRun`.
    func events(of id: RunID, in namespace: Namespace, after: Int, limit: Int) throws(GatewayError) -> [RunEvent] {
        let events = entries.withLock { entries in
            entries.first { $0.run.id == id && $0.namespace == namespace }
                .map { Array($0.events.dropFirst(after).prefix(limit)) }
        }
        guard let events else { throw .unknownRun(id) }
        return events
    }

    /// Removes the oldest runs until the others have room; returns the namespaces of the removed runs.
    private static func removeOldest(of entries: inout [Entry], keeping id: RunID) -> Set<Namespace> {
        var removed: Set<Namespace> = []
        var size = entries.reduce(0) { $0 + $1.size }
        while entries.count > capacity || size > maximumSize,
            let index = entries.firstIndex(where: { $0.run.id != id })
        {
            let entry = entries.remove(at: index)
            size -= entry.size
            removed.insert(entry.namespace)
        }
        return removed
    }
}

extension ReportedRuns.Entry {
    /// Adds an event if there is room for it, which there always is for the end.
    fileprivate mutating func append(_ event: RunEvent, size: Int, at now: Timestamp) {
        var limit = ReportedRuns.maximumRunSteps
        switch event {
        case .ended(let outcome):
            (run.endedAt, run.outcome) = (now, outcome)
            limit = .max
        case .table, .note, .trial: limit += ReportedRuns.maximumReportEvents
        case .scenario, .step, .figures: break
        }
        guard limit == .max || events.count < limit && self.size + size <= ReportedRuns.maximumRunSize else {
            run.omitted += 1
            return
        }
        self.size += size
        events.append(event)
        run.events = events.count
    }
}

extension RunEvent {
    /// The size in memory of the records in the timeline of a trial, whose JSON may be much shorter.
    fileprivate var recordSize: Int {
        guard case .trial(let result) = self, let timeline = result.timeline else { return 0 }
        let connections = timeline.connections.reduce(0) { size, connection in
            size + MemoryLayout<ProviderConnectionRecord>.stride
                + connection.tokens.count * MemoryLayout<ProviderTokenUse>.stride
                + connection.events.count * MemoryLayout<ProviderConnectionEvent>.stride
        }
        return connections + timeline.requests.count * MemoryLayout<ProviderRequestRecord>.stride
    }
}
