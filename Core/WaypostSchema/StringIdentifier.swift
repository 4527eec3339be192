/// A string that identifies something, as a type of its own so that no two kinds are mixed up.
///
/// It is a plain string in JSON. The schema checks no more than that; who knows the rules of an identifier applies them.
public protocol StringIdentifier: RawRepresentable<String>, Codable, Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// Creates the identifier that `rawValue` spells.
    init(rawValue: String)
}

extension StringIdentifier {
    /// Creates the identifier that a literal spells.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The identifier's text.
    public var description: String {
        rawValue
    }
}
