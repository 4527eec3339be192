internal import Foundation
internal import LoadTesting

/// The progress of a load test on standard error: a view that changes on a terminal, or else a JSON line a second.
struct LoadProgress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// Shows a second.
    func show(_ second: LoadSecond, _ settings: LoadSettings) {
        let text = isTerminal ? "\r\u{1B}[K" + line(second, settings) : (try? JSONText.line(second) + "\n") ?? ""
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Ends the line that changes.
    func finish() {
        if isTerminal { try? FileHandle.standardError.write(contentsOf: Data("\n".utf8)) }
    }

    private func line(_ second: LoadSecond, _ settings: LoadSettings) -> String {
        let rest = Int(settings.seconds) - second.second - 1
        let left = second.second < 0 ? "warm-up" : rest > 0 ? "\(rest) s left" : "draining"
        let latency =
            second.p99.map { String(format: "p50 %.1f ms, p99 %.1f ms", second.p50 ?? 0, $0) } ?? "no arrivals"
        return
            "\(left): \(second.offered)/s offered, \(second.accepted)/s accepted, \(second.acknowledged)/s acknowledged, "
            + "\(latency), backlog \(second.backlog), errors \(second.errors), \(second.connected) connected"
    }
}
