internal import Foundation
internal import JSONScanning
package import PushRules
package import WaypostSchema

extension StringIdentifier {
    /// The string as it is stored.
    package var databaseText: String {
        StoredString.encode(rawValue)
    }

    /// Creates the identifier from its stored string.
    package init(databaseText: String) {
        self.init(rawValue: StoredString.decode(databaseText))
    }
}

/// The encoding of strings in the database, in which a NUL would end a string.
///
/// JSON strings may contain NUL, so U+0000 is stored as U+0001 and `0`, and U+0001 as U+0001 and `1`.
package enum StoredString {
    /// Returns `string` as it is stored.
    package static func encode(_ string: String) -> String {
        guard containsByte(below: 2, in: string) else { return string }
        return string.unicodeScalars.reduce(into: "") { stored, scalar in
            switch scalar.value {
            case 0: stored += "\u{1}0"
            case 1: stored += "\u{1}1"
            default: stored.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns the string that is stored as `stored`.
    package static func decode(_ stored: String) -> String {
        guard containsByte(below: 2, in: stored) else { return stored }
        var scalars = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in stored.unicodeScalars {
            if isEscaped {
                scalars.append(scalar == "0" ? "\u{0}" : "\u{1}")
            } else if scalar != "\u{1}" {
                scalars.append(scalar)
            }
            isEscaped = !isEscaped && scalar == "\u{1}"
        }
        return String(scalars)
    }

    /// Returns whether `string` contains a byte below `limit`; this runs for every string, so it must be fast.
    private static func containsByte(below limit: UInt8, in string: String) -> Bool {
        string.utf8.withContiguousStorageIfAvailable { bytes in bytes.contains { $0 < limit } } ?? true
    }
}

extension CollapseSlot {
    /// The slot as it is stored: `t` for the topic, or `i` and the identifier, so that the two never collide.
    package var databaseText: String {
        switch self {
        case .topic: Self.storedTopic
        case .identifier(let identifier): Self.identifierPrefix + StoredString.encode(identifier.rawValue)
        }
    }

    /// The stored slot of a topic.
    package static let storedTopic = "t"

    /// The prefix of the stored slot of a collapse identifier.
    package static let identifierPrefix = "i"
}

/// The encoding of a notification's findings in the log: a JSON array, or `nil` if there are none.
package enum StoredFindings {
    /// Returns the findings as they are stored.
    package static func encode(_ findings: [NotificationFinding]) -> String? {
        guard !findings.isEmpty, let data = try? JSONEncoder().encode(findings) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the findings that are stored as `json`.
    package static func decode(_ json: String?) -> [NotificationFinding] {
        json.flatMap { try? DocumentDecoder.decode([NotificationFinding].self, from: $0.utf8) } ?? []
    }
}

/// Optional values that the database stores as JSON.
package enum StoredJSON {
    /// Returns a value as it is stored.
    package static func encode(_ value: (some Encodable)?) -> String? {
        guard let value else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the value that is stored as `json`.
    ///
    /// - Throws: `JSONError` or `DecodingError` if it cannot be read, because a newer version wrote it.
    package static func decode<Value: Decodable>(_ json: String?) throws -> Value? {
        try json.map { try DocumentDecoder.decode(Value.self, from: $0.utf8) }
    }
}

/// Enumeration values that the database stores as strings.
package enum StoredEnum {
    /// Returns the value with the raw value `string`.
    ///
    /// - Throws: `StoreError` if there is no such value, because a newer version wrote it.
    package static func read<Value: RawRepresentable<String>>(_ string: String) throws(StoreError) -> Value {
        guard let value = Value(rawValue: string) else {
            throw .failed("the store contains a \(Value.self) that this version does not know: \(string)")
        }
        return value
    }
}
