internal import TextBasics

/// A namespace of a gateway, which isolates the test runs that share the gateway.
///
/// It has 1 to 64 of the characters `A`-`Z`, `a`-`z`, `0`-`9`, `.`, `-` and `_`, and does not start with a period,
/// because `.` and `..` have another meaning in a path.
public struct Namespace: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The namespace of a request that does not name one.
    public static let standard: Self = "default"

    /// Whether the identifier has a valid length and only valid characters.
    public var isWellFormed: Bool {
        (1...64).contains(rawValue.utf8.count) && rawValue.utf8.first != UInt8(ascii: ".")
            && rawValue.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".-_".utf8.contains($0) }
    }
}
