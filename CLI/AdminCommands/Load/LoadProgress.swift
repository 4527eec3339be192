internal import Attribution
internal import Foundation
internal import LoadTesting
internal import Synchronization
internal import TextBasics
internal import TextReports

/// The progress of a load test on standard error: lines that change on a terminal, or else a JSON line a second.
final class LoadProgress: Sendable {
    /// The width of the lines if the terminal does not report its width.
    private static let defaultWidth = 80

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state: Mutex<(view: LoadView, lineCount: Int)>

    init(_ settings: LoadSettings) {
        state = Mutex((LoadView(settings), 0))
    }

    /// Shows the figures of a second.
    func show(_ second: LoadSecond) {
        guard isTerminal else {
            if let line = try? JSONOutput.line(second) { StandardError.write(line) }
            return
        }
        let text = state.withLock { state in
            state.view.add(second)
            let lines = state.view.lines(width: TextStyle(of: STDERR_FILENO).columns ?? Self.defaultWidth)
            // These control characters remove the lines of the previous second.
            let clearSequence = state.lineCount > 0 ? "\u{1B}[\(state.lineCount)A\r\u{1B}[J" : ""
            state.lineCount = lines.count
            return clearSequence + lines.map { $0.safe(for: .terminalLines) + "\n" }.joined()
        }
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
