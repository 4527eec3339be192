/// A version of a device's system, such as `26.4`.
public struct SystemVersion: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates a version from its text, which is not checked.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The numbers of the version; `nil` if the text is not one to three numbers with periods between them.
    public var numbers: [Int]? {
        let parts = rawValue.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap(Self.number)
        return (1...3).contains(parts.count) && numbers.count == parts.count ? numbers : nil
    }

    /// The first number; `nil` if the text is not a version.
    public var major: Int? {
        numbers?.first
    }

    /// Returns whether this version is the other one or a later one; a number that is absent counts as 0.
    public func isAtLeast(_ other: Self) -> Bool {
        !comparedNumbers.lexicographicallyPrecedes(other.comparedNumbers)
    }

    private var comparedNumbers: [Int] {
        let numbers = numbers ?? []
        return numbers + Array(repeating: 0, count: 3 - numbers.count)
    }

    /// Returns the number that a part of a version is; `nil` if it is not one to three digits.
    private static func number(_ part: Substring) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ digits.contains($0) }) else { return nil }
        return Int(part)
    }
}
