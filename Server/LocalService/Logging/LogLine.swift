internal import Foundation
internal import Logging
internal import TextBasics
internal import WaypostSchema

/// The format of the lines of a log.
package enum LogFormat: String, Sendable, CaseIterable {
    /// For people: time, level, logger, metadata and message.
    case text

    /// One JSON object per line: `time`, `level`, `logger`, `message`, and `metadata` if there is any.
    case json
}

/// The contents of a line of a log.
struct LogLine {
    var time: Timestamp
    var level: Logger.Level
    var logger: String
    var message: String
    var error: String?
    var metadata: Logger.Metadata = [:]

    /// Returns the line, with its line feed.
    func bytes(in format: LogFormat) -> [UInt8] {
        switch format {
        case .text: Array((text.safe(for: .log) + "\n").utf8)
        case .json: Array((json.safe(for: .json) + "\n").utf8)
        }
    }

    private var text: String {
        var allMetadata = metadata
        if let error { allMetadata["error"] = "\(error)" }
        let pairs = allMetadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let date = Date(timeIntervalSince1970: Double(time.seconds))
        return "\(date.ISO8601Format()) \(level) \(logger):\(pairs) \(message)"
    }

    private var json: String {
        let object = JSONLine(
            time: time.rfc3339String,
            level: level.rawValue,
            logger: logger,
            message: message,
            error: error,
            metadata: metadata.isEmpty ? nil : metadata.mapValues(JSONMetadata.init)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail for strings, integers, and arrays and objects of them.
        return (try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

private struct JSONLine: Encodable {
    var time: String
    var level: String
    var logger: String
    var message: String
    var error: String?
    var metadata: [String: JSONMetadata]?
}

/// A metadata value; integers stay numbers.
private struct JSONMetadata: Encodable {
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
    fileprivate var rfc3339String: String {
        // Adds half a millisecond, because the format truncates and a binary fraction may be slightly too small.
        Date(timeIntervalSince1970: (Double(rawValue) + 0.5) / 1_000)
            .ISO8601Format(.init(includingFractionalSeconds: true))
    }
}
