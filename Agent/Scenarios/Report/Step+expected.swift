internal import WaypostSchema

/// A value that a step expects, as one line of text.
struct ExpectedValue: Sendable, Equatable {
    /// The key of the expectation.
    var key: String

    /// The value: the elements of a list or the members of an object one after another, and `none` for an empty list.
    var text: String
}

extension Step {
    /// The keys that say what an expectation is about, and not what it expects.
    private static let subjectKeys: Set<String> = ["app", "device", "link", "within"]

    /// The values that the step expects, in the order of their keys.
    var expectedTexts: [ExpectedValue] {
        expectedValues.filter { !Self.subjectKeys.contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { ExpectedValue(key: $0, text: $1.lineText) }
    }
}

extension JSONValue {
    /// The value on one line; lists in a list are separated by bars.
    fileprivate var lineText: String {
        switch self {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .unsigned(let value): return "\(value)"
        case .double(let value): return "\(value)"
        case .string(let value): return value
        case .array(let elements):
            let hasLists = elements.contains { if case .array = $0 { true } else { false } }
            let texts = elements.map(\.lineText)
            return texts.isEmpty ? "none" : texts.joined(separator: hasLists ? " | " : ", ")
        case .object(let members):
            return members.sorted { $0.key < $1.key }.map { "\($0) \($1.lineText)" }.joined(separator: ", ")
        }
    }
}
