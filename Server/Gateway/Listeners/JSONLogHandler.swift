internal import Foundation
package import Logging
package import WaypostSchema

/// Logs one JSON object a line: `time`, `level`, `logger`, `message`, and `metadata` where there is any.
package struct JSONLogHandler: LogHandler {
    /// What is said with each line.
    package var metadata: Logger.Metadata = [:]

    /// What else is said with each line, asked for when it is written.
    package var metadataProvider: Logger.MetadataProvider?

    /// From what level on lines are written.
    package var logLevel = Logger.Level.info

    private let label: String
    private let now: @Sendable () -> Timestamp
    private let write: @Sendable ([UInt8]) -> Void

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - label: the logger's name.
    ///   - provider: what else is said with each line.
    ///   - now: returns the present moment.
    ///   - write: writes a line, its end included.
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

    /// What is said with each line, by key.
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
        // Texts, whole numbers, lists and objects of them can always be written.
        guard let data = try? encoder.encode(line) else { return }
        write(data + [0x0A])
    }
}

/// What is on one line.
private struct Line: Encodable {
    var time: String
    var level: String
    var logger: String
    var message: String
    var error: String?
    var metadata: [String: Value]?
}

/// A value of metadata; whole numbers stay numbers.
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
    /// The moment in UTC as RFC 3339 has it, with milliseconds.
    fileprivate var text: String {
        // Half a millisecond more, as the format cuts off what a fraction in base two may lack.
        Date(timeIntervalSince1970: (Double(rawValue) + 0.5) / 1_000)
            .ISO8601Format(.init(includingFractionalSeconds: true))
    }
}
