package import Logging
package import WaypostSchema

/// A log handler that writes a line for each event, as text or as JSON.
///
/// Characters that control a terminal, end a line or change the direction of text are escaped: metadata may come from
/// other machines.
package struct LineLogHandler: LogHandler {
    /// The metadata of every line.
    package var metadata: Logger.Metadata = [:]

    /// The provider of further metadata, called for each line.
    package var metadataProvider: Logger.MetadataProvider?

    /// The minimum level of the lines that are written.
    package var logLevel = Logger.Level.info

    /// Errors that a library logs if a listener ends because another part of the program failed.
    ///
    /// The program itself reports that part.
    private static let ignoredMessages: Set = ["Waiting on child channel: CancellationError()"]

    private let label: String
    private let format: LogFormat
    private let now: @Sendable () -> Timestamp
    private let write: @Sendable ([UInt8]) -> Void

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - label: the logger's name.
    ///   - format: the format of the lines.
    ///   - now: returns the current time.
    ///   - write: writes a line, including its line feed.
    package init(
        label: String,
        format: LogFormat,
        now: @escaping @Sendable () -> Timestamp,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.label = label
        self.format = format
        self.now = now
        self.write = write
    }

    /// The metadata of every line, by key.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a line.
    package func log(event: LogEvent) {
        let message = "\(event.message)"
        guard !Self.ignoredMessages.contains(message) else { return }
        let line = LogLine(
            time: now(),
            level: event.level,
            logger: label,
            message: message,
            error: event.error.map { "\($0)" },
            metadata:
                metadata
                .merging(metadataProvider?.get() ?? [:]) { $1 }
                .merging(event.metadata ?? [:]) { $1 }
        )
        write(line.bytes(in: format))
    }

    /// Returns a queue to standard error for handlers of the logger `label`.
    package static func queue(
        for label: String,
        format: LogFormat,
        now: @escaping @Sendable () -> Timestamp
    ) -> LogQueue {
        LogQueue { count in
            let message = "\(count) lines of the log are missing here: their reader was too slow"
            return LogLine(time: now(), level: .warning, logger: label, message: message).bytes(in: format)
        }
    }
}
