import Logging
import Synchronization

/// A log handler that keeps its lines in memory.
struct CapturingHandler: LogHandler {
    /// A line of the log.
    struct Line: Sendable {
        var level: Logger.Level
        var message: String
        var metadata: [String: String]
    }

    /// The logged lines.
    final class Capture: Sendable {
        private let kept = Mutex<[Line]>([])

        var lines: [Line] {
            kept.withLock { $0 }
        }

        func add(_ line: Line) {
            kept.withLock { $0.append(line) }
        }
    }

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.trace
    let capture: Capture

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        let error = event.error.map { " \($0)" } ?? ""
        capture.add(Line(level: event.level, message: "\(event.message)\(error)", metadata: all.mapValues { "\($0)" }))
    }

    /// Returns a logger at the lowest level, and the capture that receives its lines.
    static func logger() -> (logger: Logger, capture: Capture) {
        let capture = Capture()
        return (Logger(label: "test") { _ in CapturingHandler(capture: capture) }, capture)
    }
}
