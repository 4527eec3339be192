internal import Foundation
package import LocalService
package import Logging
package import WaypostSchema

/// A log handler that writes one JSON object per line: `time`, `level`, `logger`, `message`, and `metadata` if there is
/// any.
package struct JSONLogHandler: LogHandler {
    /// The metadata of every line.
    package var metadata: Logger.Metadata = [:]

    /// The provider of further metadata, called for each line.
    package var metadataProvider: Logger.MetadataProvider?

    /// The minimum level of the lines that are written.
    package var logLevel = Logger.Level.info

    private let label: String
    private let now: @Sendable () -> Timestamp
    private let write: @Sendable ([UInt8]) -> Void

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - label: the logger's name.
    ///   - provider: provides further metadata for each line.
    ///   - now: returns the current time.
    ///   - write: writes a line, including its line feed.
    package init(
        label: String,
        metadataProvider provider: Logger.MetadataProvider? = nil,
        now: @escaping @Sendable () -> Timestamp,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.label = label
        metadataProvider = provider
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
        let all =
            metadata
            .merging(metadataProvider?.get() ?? [:]) { $1 }
            .merging(event.metadata ?? [:]) { $1 }
        let line = Line(
            time: now().text,
            level: event.level.rawValue,
            logger: label,
            message: "\(event.message)",
            error: event.error.map { "\($0)" },
            metadata: all.isEmpty ? nil : all.mapValues(Value.init)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail for strings, integers, and arrays and objects of them.
        guard let data = try? encoder.encode(line) else { return }
        write(Self.escaped(data) + [0x0A])
    }

    /// Returns a queue to standard error for handlers of the logger `label`.
    package static func queue(for label: String, now: @escaping @Sendable () -> Timestamp) -> LogQueue {
        LogQueue { count in
            let line = Line(
                time: now().text,
                level: Logger.Level.warning.rawValue,
                logger: label,
                message: "\(count) lines of the log are missing here: their reader was too slow"
            )
            return ((try? JSONEncoder().encode(line)).map(Array.init) ?? []) + [0x0A]
        }
    }

    /// Returns JSON with every invisible character as an escape, because people read it on terminals, too.
    private static func escaped(_ json: Data) -> [UInt8] {
        let text = String(decoding: json, as: UTF8.self)
        guard text.unicodeScalars.contains(where: \.isInvisible) else { return Array(json) }
        return Array(
            text.unicodeScalars.reduce(into: "") { escaped, scalar in
                guard scalar.isInvisible else { return escaped.unicodeScalars.append(scalar) }
                for unit in UTF16.encode(scalar) ?? .init() {
                    let digits = String(unit, radix: 16)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }.utf8
        )
    }
}

/// The contents of a line.
private struct Line: Encodable {
    var time: String
    var level: String
    var logger: String
    var message: String
    var error: String?
    var metadata: [String: Value]?
}

/// A metadata value; integers stay numbers.
private struct Value: Encodable {
    let value: Logger.Metadata.Value

    init(_ value: Logger.Metadata.Value) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .string(let text): try container.encode(text)
        case .stringConvertible(let number as any BinaryInteger): try container.encode(Int64(clamping: number))
        case .stringConvertible(let value): try container.encode("\(value)")
        case .array(let values): try container.encode(values.map(Self.init))
        case .dictionary(let values): try container.encode(values.mapValues(Self.init))
        }
    }
}

extension Timestamp {
    /// The time in UTC in the format of RFC 3339, with milliseconds.
    fileprivate var text: String {
        // Adds half a millisecond, because the format truncates and a binary fraction may be slightly too small.
        Date(timeIntervalSince1970: (Double(rawValue) + 0.5) / 1_000)
            .ISO8601Format(.init(includingFractionalSeconds: true))
    }
}
