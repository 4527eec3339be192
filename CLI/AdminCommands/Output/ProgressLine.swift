internal import Foundation
internal import Synchronization
internal import TextBasics
internal import TextReports

/// The progress of work that takes longer than a second: a line on standard error, with the rate and the time left.
///
/// There is no line if standard error is not a terminal.
final class ProgressLine: Sendable {
    /// The unit of the work.
    enum Unit: Sendable {
        case bytes
        case items
    }

    /// The time before the line first appears, and between two changes of it.
    private static let (delay, interval) = (Duration.seconds(1), Duration.milliseconds(200))

    private struct State {
        var done = 0
        var total: Int?
        var lastUpdate: ContinuousClock.Instant?
    }

    private let title: String
    private let unit: Unit
    private let isEnabled: Bool
    private let start = ContinuousClock.now
    private let state: Mutex<State>

    /// Creates the progress of work that begins now.
    ///
    /// - Parameters:
    ///   - title: the name of the work, such as "saving".
    ///   - unit: the unit of the work.
    ///   - total: the number of units, if it is known.
    ///   - isQuiet: whether nothing is shown.
    init(_ title: String, unit: Unit, total: Int? = nil, isQuiet: Bool = false) {
        self.title = title
        self.unit = unit
        isEnabled = !isQuiet && isatty(STDERR_FILENO) == 1
        state = Mutex(State(total: total))
    }

    /// Sets the number of units, once it is known.
    func set(total: Int) {
        state.withLock { $0.total = total }
    }

    /// Sets the number of units that are done.
    func set(done: Int) {
        guard isEnabled else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            state.done = done
            guard now - start >= Self.delay, state.lastUpdate.map({ now - $0 >= Self.interval }) ?? true else { return }
            state.lastUpdate = now
            let line = ProgressText.line(title, unit, done: done, of: state.total, after: now - start)
            Self.write("\r\u{1B}[K" + line.truncated(to: (TextStyle(of: STDERR_FILENO).columns ?? 80) - 1))
        }
    }

    /// Removes the line.
    ///
    /// Always call this when the work ends.
    func end() {
        state.withLock { state in
            if state.lastUpdate != nil { Self.write("\r\u{1B}[K") }
            state.lastUpdate = nil
        }
    }

    private static func write(_ string: String) {
        // If standard error is closed, nobody sees the progress.
        try? FileHandle.standardError.write(contentsOf: Data(string.utf8))
    }
}

/// Formats the progress line.
enum ProgressText {
    /// Returns a line such as `saving 12 MB of 40 MB (30 %), 4.1 MB/s, 7 s left`.
    static func line(
        _ title: String,
        _ unit: ProgressLine.Unit,
        done: Int,
        of total: Int?,
        after time: Duration
    ) -> String {
        let seconds = time / .seconds(1)
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var parts = [amount(done, unit)]
        if let total, total > 0 {
            parts[0] += " of \(amount(total, unit)) (\(done * 100 / total) %)"
        }
        parts.append("\(amount(Int(rate), unit))/s")
        if let total, rate > 0, total > done {
            parts.append("\(TimeText.duration(Int((Double(total - done) / rate).rounded(.up)) * 1_000)) left")
        }
        return "\(title) \(parts.joined(separator: ", "))"
    }

    private static func amount(_ number: Int, _ unit: ProgressLine.Unit) -> String {
        switch unit {
        case .bytes: number.formatted(.byteCount(style: .memory))
        case .items: "\(number)"
        }
    }
}
