internal import Synchronization
internal import WaypostSchema

/// The choice of the changes that `waypost up` prints: each one while there are few, otherwise a summary a second.
struct ChangeSummary {
    /// The maximum number of changes that are printed in a second: about ten notifications, with three changes each.
    static let maximumPerSecond = 30

    private var printedCount = 0
    private var heldCounts: [DeliveryState: Int] = [:]

    /// Returns whether to print a change; if not, the summary of this second has it.
    mutating func printsChange(to state: DeliveryState) -> Bool {
        guard printedCount < Self.maximumPerSecond else {
            heldCounts[state, default: 0] += 1
            return false
        }
        printedCount += 1
        return true
    }

    /// Ends a second, and returns the summary of the changes that were not printed; `nil` if all were.
    mutating func endSecond() -> String? {
        defer { (printedCount, heldCounts) = (0, [:]) }
        guard !heldCounts.isEmpty else { return nil }
        let states = DeliveryState.allCases.compactMap { state in
            heldCounts[state].map { "\($0) \(state.rawValue)" }
        }
        let count = heldCounts.values.reduce(0, +)
        let changes = count == 1 ? "1 more change" : "\(count) more changes"
        return "… \(changes) in this second: \(states.joined(separator: ", "))"
    }
}

/// Prints the changes of notifications, or the summary of a second with many.
final class SummarizingPrinter: Sendable {
    private let state = Mutex((changes: ChangePrinter(.table), summary: ChangeSummary()))

    /// Prints a change, or counts it for the summary.
    func write(_ notification: NotificationRecord) throws {
        try state.withLock { state in
            guard state.summary.printsChange(to: notification.state) else { return }
            try state.changes.write(notification)
        }
    }

    /// Ends a second, and prints its summary if it has one.
    func endSecond() throws {
        if let line = state.withLock({ $0.summary.endSecond() }) { try StandardOutput.write(line + "\n") }
    }
}
