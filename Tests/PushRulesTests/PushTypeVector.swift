import Foundation
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

/// A line of `Tests/Vectors/push-types/payloads.jsonl`.
struct PayloadVector: Decodable, Sendable, CustomTestStringConvertible {
    let `case`: String
    let source: String
    let pushType: PushType
    let topic: Topic?
    let priority: Int?
    let now: Int?
    let payload: JSONValue
    let findings: [String]

    var testDescription: String {
        "\(pushType): \(`case`)"
    }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "push-types/payloads.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }

    /// The payload without spaces.
    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(payload))
        }
    }

    var context: PayloadCheck.Context {
        PayloadCheck.Context(
            pushType: pushType,
            topic: topic ?? "",
            priority: priority,
            now: now.map { Timestamp(milliseconds: $0 * 1_000) }
        )
    }
}

/// A line of `Tests/Vectors/push-types/requests.jsonl`.
struct HeaderVector: Decodable, Sendable, CustomTestStringConvertible {
    let `case`: String
    let source: String
    let pushType: PushType
    let topic: Topic
    let priority: Int
    let expiration: Int?
    let id: NotificationID?
    let now: Int
    let findings: [String]

    var testDescription: String {
        "\(pushType): \(`case`)"
    }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "push-types/requests.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }

    var check: HeaderCheck {
        HeaderCheck(pushType: pushType, topic: topic, priority: priority, expiration: expiration, id: id)
    }
}

extension NotificationFinding {
    /// The severity and the kind, as in the vectors.
    var short: String {
        "\(severity.rawValue) \(code)"
    }
}
