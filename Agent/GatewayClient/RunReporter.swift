internal import NIOCore
internal import NIOPosix
internal import Synchronization
package import WaypostSchema

/// Reports a run to a gateway while it runs.
///
/// A gateway that cannot be reached never fails the run: the user gets one warning.
package final class RunReporter: Sendable {
    /// The minimum and the maximum time between two reports.
    private static let (minimumInterval, maximumInterval) = (Duration.milliseconds(200), Duration.seconds(20))

    private let client: GatewayClient?
    private let buffer = Mutex(RunEventBuffer())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    private init(_ client: GatewayClient?) {
        self.client = client
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Reports an event.
    package func report(_ event: RunEvent) {
        guard client != nil else { return }
        buffer.withLock { $0.append(event) }
        signal.yield()
    }

    /// Reports the end; events that come later are ignored.
    private func end(_ outcome: RunOutcome) {
        report(.ended(outcome))
        signal.finish()
    }

    /// Calls `work` with a reporter, and reports the end of the run, also if it throws or is canceled.
    ///
    /// - Parameters:
    ///   - announcement: the run.
    ///   - client: a client of the gateway, or `nil` to report to none.
    ///   - outcome: returns the outcome of a run that did not throw.
    ///   - warn: called with the reason if the gateway cannot be reached.
    ///   - work: the run.
    /// - Returns: the result of `work`.
    /// - Throws: what `work` throws.
    package static func run<Value: Sendable>(
        _ announcement: RunAnnouncement,
        to client: GatewayClient?,
        outcome: (Value) -> RunOutcome,
        warn: @escaping @Sendable (String) -> Void,
        _ work: @Sendable (RunReporter) async throws -> Value
    ) async throws -> Value {
        let reporter = RunReporter(client)
        guard let client else { return try await work(reporter) }
        // The last reports are sent after a cancellation, too: the task of a future is not a child of the current one.
        let reports = MultiThreadedEventLoopGroup.singleton.any().makeFutureWithTask {
            do {
                try await reporter.sendEvents(of: announcement, to: client)
            } catch {
                warn("the console cannot show this run: \(error)")
                reporter.buffer.withLock { $0.close() }
            }
        }
        let result = await Result.catching { try await work(reporter) }
        switch result {
        case .success(let value): reporter.end(outcome(value))
        case .failure(let error) where error is CancellationError || error as? CallError == .canceled:
            reporter.end(.interrupted)
        case .failure: reporter.end(.failed)
        }
        try? await reports.get()
        return try result.get()
    }

    /// Sends the events until the run has ended and all are sent.
    private func sendEvents(of announcement: RunAnnouncement, to client: GatewayClient) async throws {
        let run = try await client.announce(announcement)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // A program that is killed cannot say so; the gateway notices the silence.
                while true {
                    try await Task.sleep(for: Self.maximumInterval)
                    if !self.buffer.withLock(\.hasEnded) { try await client.report([], of: run.id) }
                }
            }
            group.addTask {
                for await _ in self.signals {
                    try await self.sendAll(of: run.id, to: client)
                    // Many events are one request.
                    if !self.buffer.withLock(\.hasEnded) { try await Task.sleep(for: Self.minimumInterval) }
                }
                try await self.sendAll(of: run.id, to: client)
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func sendAll(of id: RunID, to client: GatewayClient) async throws {
        while true {
            let events = buffer.withLock { $0.removeReport() }
            guard !events.isEmpty else { return }
            try await client.report(events, of: id)
        }
    }
}

/// The events of a run that are not sent yet, as a value.
struct RunEventBuffer {
    /// The maximum size in bytes of the texts of the events in one report, which the gateway accepts in any case.
    private static let maximumReportSize = 100_000

    /// The maximum number of characters of a text.
    private static let maximumTextLength = 10_000

    /// The maximum size in bytes of the timelines of a run, so that the gateway has room for all other events.
    private static let maximumTimelineSize = 3_000_000

    private var events: [RunEvent] = []
    private var timelineSize = 0

    /// Whether the end of the run was added.
    private(set) var hasEnded = false

    private var isClosed = false

    /// Removes all events, and ignores those that follow.
    mutating func close() {
        (events, isClosed) = ([], true)
    }

    /// Adds an event; the end of a step replaces its beginning.
    mutating func append(_ event: RunEvent) {
        guard !isClosed, !hasEnded else { return }
        if case .ended = event { hasEnded = true }
        if case .step = event, case .step(let last) = events.last, last.state == .running { events.removeLast() }
        let shortEvent = withoutExcessTimeline(event.shortened(to: Self.maximumTextLength))
        events.append(shortEvent)
    }

    /// Returns an event without its timeline if earlier ones have used the room; the result of a trial is always sent.
    private mutating func withoutExcessTimeline(_ event: RunEvent) -> RunEvent {
        guard case .trial(var result) = event, let size = result.timeline?.reportSize else { return event }
        if timelineSize + size > Self.maximumTimelineSize {
            result.timeline = nil
            return .trial(result)
        }
        timelineSize += size
        return event
    }

    /// Removes the first events, as many as one report has room for, and returns them.
    mutating func removeReport() -> [RunEvent] {
        var size = 0
        let count = events.prefix(while: { event in
            defer { size += event.size }
            return size < Self.maximumReportSize
        }).count
        defer { events.removeFirst(count) }
        return Array(events.prefix(count))
    }
}

extension RunEvent {
    /// The number of bytes of the texts, and some more for each part.
    fileprivate var size: Int {
        switch self {
        case .scenario(let text), .note(let text): 50 + text.utf8.count
        case .figures(let figures): 50 + figures.values.keys.reduce(0) { $0 + $1.utf8.count + 20 }
        case .table(let table): ([table.header] + table.rows).joined().reduce(50) { $0 + $1.utf8.count + 5 }
        case .step(let step):
            [step.text, step.message ?? "", step.explanation ?? ""].reduce(100) { $0 + $1.utf8.count }
                + (step.differences ?? []).reduce(0) {
                    $0 + 50 + $1.field.utf8.count + $1.expected.utf8.count + $1.actual.utf8.count
                }
        case .trial(let result): result.reportSize
        case .ended: 50
        }
    }

    /// The event with long texts cut off, so that it has room in a report.
    fileprivate func shortened(to length: Int) -> Self {
        func short(_ text: String) -> String { short(text, length) }
        func short(_ text: String, _ length: Int) -> String { text.shortened(to: length) }
        switch self {
        case .scenario(let name): return .scenario(short(name))
        case .note(let text): return .note(short(text))
        case .step(var step):
            step.text = short(step.text)
            step.message = step.message.map(short)
            step.explanation = step.explanation.map(short)
            step.differences = step.differences?.prefix(50).map {
                RunDifference(
                    field: short($0.field, length / 10),
                    expected: short($0.expected, length / 10),
                    actual: short($0.actual, length / 10)
                )
            }
            return .step(step)
        case .trial(let result): return .trial(result.shortened(to: length))
        case .figures, .table, .ended: return self
        }
    }
}
