internal import TextBasics

/// The type of a value as it is written in Swift, such as `Int`, `String?`, `[Date]` and `[String: Double]`.
public indirect enum SwiftType: Sendable, Equatable {
    /// The types without parts.
    public enum Name: String, CaseIterable, Sendable {
        /// A text.
        case string = "String"

        /// A whole number.
        case int = "Int"

        /// A number.
        case double = "Double"

        /// True or false.
        case bool = "Bool"

        /// A date, which is a number of seconds since 2001.
        case date = "Date"

        /// A URL, which is a text.
        case url = "URL"

        /// A UUID, which is a text.
        case uuid = "UUID"

        /// Bytes, which are Base64 in a text.
        case data = "Data"

        /// Any value, for a type with a decoder of its own.
        case anything = "Any"
    }

    /// A type without parts.
    case name(Name)

    /// A type whose value may be missing or `null`.
    case optional(SwiftType)

    /// A list of elements of a type.
    case array(SwiftType)

    /// A dictionary from texts to values of a type.
    case dictionary(SwiftType)
}

extension SwiftType {
    /// The maximum number of types inside each other.
    private static let maximumDepth = 8

    /// Parses a type; returns `nil` if the text is not one.
    public init?(_ text: String) {
        guard let type = Self.parse(text[...], depth: 1) else { return nil }
        self = type
    }

    private static func parse(_ text: Substring, depth: Int) -> Self? {
        guard depth <= maximumDepth else { return nil }
        if text.hasSuffix("?") {
            guard !text.hasSuffix("??") else { return nil }
            return parse(text.dropLast(), depth: depth + 1).map(Self.optional)
        }
        guard text.hasPrefix("["), text.hasSuffix("]") else {
            return Name(rawValue: String(text)).map(Self.name)
        }
        let content = text.dropFirst().dropLast()
        guard content.hasPrefix("String:") else { return parse(content, depth: depth + 1).map(Self.array) }
        let value = content.dropFirst("String:".count).drop { $0 == " " }
        return parse(value, depth: depth + 1).map(Self.dictionary)
    }

    /// Returns the sentence about a text that is not a type.
    static func problem(with text: String) -> String {
        let names = Name.allCases.map(\.rawValue)
        let name = String(text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "?" })
        let start = "'\(text.safe(for: .excerpt))' is not a type of a field"
        if let nearest = name.nearest(among: names), nearest != name { return "\(start); did you mean '\(nearest)'?" }
        return "\(start); use \(names.joined(separator: ", ")), a list such as [Int] or a dictionary such as "
            + "[String: Int], with ? at the end if it is optional"
    }
}

extension SwiftType: CustomStringConvertible {
    /// The type as it is written in Swift.
    public var description: String {
        switch self {
        case .name(let name): name.rawValue
        case .optional(let type): "\(type)?"
        case .array(let type): "[\(type)]"
        case .dictionary(let type): "[String: \(type)]"
        }
    }
}
