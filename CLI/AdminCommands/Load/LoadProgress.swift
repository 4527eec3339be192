internal import Attribution
internal import Foundation
internal import LoadTesting
internal import Synchronization
internal import TextBasics
internal import TextReports

/// The progress of a load test on standard error: lines that change on a terminal, or else a JSON line a second.
final class LoadProgress: Sendable {
    /// The width of a terminal that does not tell it.
    private static let standardWidth = 80

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state: Mutex<(view: LoadView, lines: Int)>

    init(_ settings: LoadSettings) {
        state = Mutex((LoadView(settings), 0))
    }

    /// Shows a second.
    func show(_ second: LoadSecond) {
        guard isTerminal else {
            if let line = try? JSONOutput.line(second) { StandardError.write(line) }
            return
        }
        let text = state.withLock { state in
            state.view.note(second)
            let lines = state.view.lines(width: TextStyle(of: STDERR_FILENO).columns ?? Self.standardWidth)
            // The cursor goes back to the first line of the second before, and everything from there is removed.
            let back = state.lines > 0 ? "\u{1B}[\(state.lines)A\r\u{1B}[J" : ""
            state.lines = lines.count
            return back + lines.map { $0.safe(for: .terminalLines) + "\n" }.joined()
        }
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
