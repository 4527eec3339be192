internal import TextBasics

/// A string that identifies something, with a type of its own to prevent mix-ups.
///
/// In JSON it is a plain string. The schema does not validate it further; the code that uses an identifier does.
public protocol StringIdentifier: RawRepresentable<String>, Codable, Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// Creates an identifier from its text.
    init(rawValue: String)
}

extension StringIdentifier {
    /// Creates an identifier from a string literal.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The identifier's text.
    public var description: String {
        rawValue
    }
}
