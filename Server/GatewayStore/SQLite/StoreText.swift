internal import Delivery
internal import Foundation
internal import WaypostSchema

extension StringIdentifier {
    /// The text as it is stored.
    var stored: String {
        StoredText.encode(rawValue)
    }

    /// Creates the identifier from what is stored.
    init(stored: String) {
        self.init(rawValue: StoredText.decode(stored))
    }
}

/// Texts in the database, where a NUL ends a text: JSON may hold one, so that U+0000 is stored as U+0001 and `0`, and
/// U+0001 as U+0001 and `1`.
enum StoredText {
    /// Returns how `text` is stored.
    static func encode(_ text: String) -> String {
        guard hasAny(text, below: 2) else { return text }
        return text.unicodeScalars.reduce(into: "") { stored, scalar in
            switch scalar.value {
            case 0: stored += "\u{1}0"
            case 1: stored += "\u{1}1"
            default: stored.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns what `stored` stands for.
    static func decode(_ stored: String) -> String {
        guard hasAny(stored, below: 2) else { return stored }
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in stored.unicodeScalars {
            if isEscaped {
                text.append(scalar == "0" ? "\u{0}" : "\u{1}")
            } else if scalar != "\u{1}" {
                text.append(scalar)
            }
            isEscaped = !isEscaped && scalar == "\u{1}"
        }
        return String(text)
    }

    /// Whether `text` has a byte below `limit`, which is asked of every text there is.
    private static func hasAny(_ text: String, below limit: UInt8) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in bytes.contains { $0 < limit } } ?? true
    }
}

extension CollapseSlot {
    /// The slot as it is stored: `t`, or `i` and the identifier, so that the two are never mixed up.
    var stored: String {
        switch self {
        case .topic: Self.storedTopic
        case .identifier(let identifier): Self.storedIdentifier + StoredText.encode(identifier.rawValue)
        }
    }

    /// The slot of a topic as it is stored.
    static let storedTopic = "t"

    /// What a stored slot of a collapse identifier begins with.
    static let storedIdentifier = "i"
}

/// What is unusual about a notification as it stands in the log: an array in JSON, or nothing.
enum StoredFindings {
    static func encode(_ findings: [NotificationFinding]) -> String? {
        guard !findings.isEmpty, let data = try? JSONEncoder().encode(findings) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    static func decode(_ text: String?) -> [NotificationFinding] {
        text.flatMap { try? JSONDecoder().decode([NotificationFinding].self, from: Data($0.utf8)) } ?? []
    }
}
