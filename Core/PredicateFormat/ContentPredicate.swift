public import WaypostSchema

/// A predicate over a target content identifier, in the format language of `NSPredicate`.
///
/// This version reads `TRUEPREDICATE`, `FALSEPREDICATE`, `SELF == "text"`, `SELF BEGINSWITH "text"`, `AND`, `OR`, `NOT`
/// and parentheses; anything else is refused with its name and place. `AND` binds tighter than `OR`.
public struct ContentPredicate: Sendable, Hashable {
    let expression: PredicateExpressionTree

    /// The longest format that is read, in UTF-8 bytes: what a packaged predicate may measure.
    public static let maximumLength = 100_000

    /// Creates the predicate that always evaluates to `value`.
    public init(value: Bool) {
        expression = .constant(value)
    }

    /// Creates the predicate that `format` spells.
    ///
    /// - Throws: `PredicateFault` with the offset of what cannot be read, or may not be used.
    /// - Complexity: O(length of `format`).
    public init(format: String) throws(PredicateFault) {
        var parser = try PredicateParser(format)
        expression = try parser.parse()
        // What is read must be readable in canonical form, which can be longer and more deeply nested: it travels so.
        guard expression.canonicalNesting <= PredicateParser.maximumDepth else {
            throw PredicateParser.tooDeep(at: 0)
        }
        let length = expression.canonicalText.utf8.count
        guard length <= Self.maximumLength else {
            throw PredicateLexer.tooLong(length, what: "the canonical form of the format")
        }
    }

    /// Returns whether `value`, which `SELF` stands for, is one that the predicate describes.
    public func evaluate(with value: String) -> Bool {
        expression.evaluate(with: value)
    }
}

extension ContentPredicate: CustomStringConvertible {
    /// The predicate in canonical form, as `NSPredicate.predicateFormat` prints it; reading it gives the same predicate.
    public var description: String {
        expression.canonicalText
    }
}
