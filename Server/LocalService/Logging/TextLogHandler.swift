package import Foundation
package import Logging

/// A log handler that writes lines for people: time, level, logger, metadata and message.
///
/// Characters that control a terminal, end a line or change the direction of text are escaped: metadata may come from
/// other machines.
package struct TextLogHandler: LogHandler {
    /// The metadata of every line.
    package var metadata: Logger.Metadata = [:]

    /// The provider of further metadata, called for each line.
    package var metadataProvider: Logger.MetadataProvider?

    /// The minimum level of the lines that are written.
    package var logLevel = Logger.Level.info

    private let label: String
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - label: the logger's name.
    ///   - now: returns the current time.
    ///   - write: writes a line, including its line feed.
    package init(
        label: String,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.label = label
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
        var all =
            metadata
            .merging(metadataProvider?.get() ?? [:]) { $1 }
            .merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        let pairs = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let text = "\(now().ISO8601Format()) \(event.level) \(label):\(pairs) \(event.message)"
        write(Array((Self.escaped(text) + "\n").utf8))
    }

    /// Returns a queue to standard error for handlers of the logger `label`.
    package static func queue(for label: String) -> LogQueue {
        LogQueue { count in
            let message = "\(count) lines of the log are missing here: their reader was too slow"
            return Array("\(Date().ISO8601Format()) warning \(label): \(message)\n".utf8)
        }
    }

    /// Returns a text with every invisible character as an escape such as `\u{9b}`.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isInvisible) else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            if scalar.isInvisible {
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character controls a terminal, ends a line, or is not shown.
    package var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }
}
