internal import WaypostSchema

/// A question about the value of `SELF`: the relation of two strings, of which at most one is a constant.
///
/// This is a class so that an evaluation copies nothing.
final class StringTest: Sendable {
    enum Operation: Sendable, Equatable {
        /// Whether both strings have the same units.
        case equals

        /// Whether the right string is a pattern that matches the left one.
        case like
        case relation(Relation)
    }

    /// The relations that depend on the options of the operator.
    enum Relation: Sendable, Equatable {
        /// Whether both strings are equal in the order of strings.
        case isSame
        case isLess
        case isLessOrSame
        case isGreater
        case isGreaterOrSame
        case beginsWith
        case endsWith
        case contains
    }

    enum Operand: Sendable {
        case subject
        case literal(StringLiteral)
    }

    let operation: Operation
    let options: ContentPredicate.Options
    let left: Operand
    let right: Operand

    /// The offset of the operator in the format.
    private let offset: Int

    private let pattern: LikePattern?
    private let search: SubstringSearch?

    /// Creates the test.
    ///
    /// - Throws: `ContentPredicateError` if a constant pattern of `LIKE` is invalid.
    init(
        _ left: Operand,
        _ operation: Operation,
        right: Operand,
        options: ContentPredicate.Options,
        offset: Int
    ) throws(ContentPredicateError) {
        self.operation = operation
        self.options = options.effective
        self.left = left
        self.right = right
        self.offset = offset
        var (pattern, search): (LikePattern?, SubstringSearch?) = (nil, nil)
        if case .literal(let literal) = right {
            if operation == .like {
                pattern = try Self.parsePattern(literal.string, options: options.effective, offset: offset)
            }
            if operation == .relation(.contains), literal.isASCII {
                search = Self.makeSearch(for: literal.bytes, options: options.effective)
            }
        }
        self.pattern = pattern
        self.search = search
    }

    /// Returns the answer for `subject`, and charges its cost to `budget`.
    ///
    /// - Throws: `ContentPredicateError` if the value is used as a pattern and is invalid as one, or if a search would
    ///   take too long.
    func holds(for subject: StringView, budget: inout SearchBudget) throws(ContentPredicateError) -> Bool {
        switch (left, right) {
        case (.subject, .subject): return try holds(subject, subject, budget: &budget)
        case (.subject, .literal(let right)):
            return try right.withView { (view) throws(ContentPredicateError) in
                try holds(subject, view, budget: &budget)
            }
        case (.literal(let left), .subject):
            return try left.withView { (view) throws(ContentPredicateError) in
                try holds(view, subject, budget: &budget)
            }
        case (.literal(let left), .literal(let right)):
            return try left.withView { (left) throws(ContentPredicateError) in
                try right.withView { (right) throws(ContentPredicateError) in try holds(left, right, budget: &budget) }
            }
        }
    }

    private func holds(
        _ left: StringView,
        _ right: StringView,
        budget: inout SearchBudget
    ) throws(ContentPredicateError) -> Bool {
        switch operation {
        case .equals: return left.hasSameUnits(as: right)
        case .like:
            if let pattern { return pattern.matches(left) }
            return try Self.parsePattern(right.string, options: options, offset: offset).matches(left)
        case .relation(let relation) where left.isASCII && right.isASCII:
            return holds(relation, left, right: right)
        case .relation(let relation):
            return try holdsBeyondASCII(relation, left, right: right, budget: &budget)
        }
    }

    private func holds(_ relation: Relation, _ left: StringView, right: StringView) -> Bool {
        let foldingCase = options.contains(.caseInsensitive)
        switch relation {
        case .isSame:
            return left.bytes.count == right.bytes.count && left.contains(right, at: 0, foldingCase: foldingCase)
        case .isLess: return left.precedes(right, orEquals: false, foldingCase: foldingCase)
        case .isLessOrSame: return left.precedes(right, orEquals: true, foldingCase: foldingCase)
        case .isGreater: return !left.precedes(right, orEquals: true, foldingCase: foldingCase)
        case .isGreaterOrSame: return !left.precedes(right, orEquals: false, foldingCase: foldingCase)
        case .beginsWith: return !right.bytes.isEmpty && left.contains(right, at: 0, foldingCase: foldingCase)
        case .endsWith:
            let start = left.bytes.count - right.bytes.count
            return !right.bytes.isEmpty && left.contains(right, at: start, foldingCase: foldingCase)
        case .contains:
            guard !right.bytes.isEmpty, right.bytes.count <= left.bytes.count else { return false }
            let search = search ?? Self.makeSearch(for: Array(right.bytes), options: options)
            return search.firstMatch(in: left.bytes, 0..<left.bytes.count, foldingCase: foldingCase) != nil
        }
    }

    private func holdsBeyondASCII(
        _ relation: Relation,
        _ left: StringView,
        right: StringView,
        budget: inout SearchBudget
    ) throws(ContentPredicateError) -> Bool {
        let order = { PlatformString.compare(left.string, right.string, options: self.options) }
        switch relation {
        case .isSame: return order() == 0
        case .isLess: return order() < 0
        case .isLessOrSame: return order() <= 0
        // The platform's order is not always reversed when the operands are swapped.
        case .isGreater: return order() > 0
        case .isGreaterOrSame: return order() >= 0
        case .beginsWith: return PlatformString.contains(right.string, in: left.string, at: .start, options: options)
        case .endsWith, .contains:
            guard budget.charge(searchFor: right, in: left) else { throw searchTooLongError(right, in: left) }
            let position: PlatformString.Position = relation == .endsWith ? .end : .anywhere
            return PlatformString.contains(right.string, in: left.string, at: position, options: options)
        }
    }

    private func searchTooLongError(_ part: StringView, in text: StringView) -> ContentPredicateError {
        let message = """
            found a search for \(part.bytes.count) bytes in \(text.bytes.count) bytes that are not all ASCII; with the \
            searches before it, it may take too long; fewer or shorter strings are accepted
            """
        return ContentPredicateError(code: .evaluation, message: message, offset: offset)
    }

    private static func makeSearch(for needle: [UInt8], options: ContentPredicate.Options) -> SubstringSearch {
        SubstringSearch(needle.map { UInt32($0).lowercasedASCII(if: options.contains(.caseInsensitive)) })
    }

    private static func parsePattern(
        _ string: String,
        options: ContentPredicate.Options,
        offset: Int
    ) throws(ContentPredicateError) -> LikePattern {
        do {
            return try LikePattern(string, options: options)
        } catch {
            throw ContentPredicateError(code: .evaluation, message: error.message, offset: offset)
        }
    }
}

/// A constant string with its precomputed properties.
struct StringLiteral: Sendable {
    let string: String
    let bytes: [UInt8]
    let isASCII: Bool

    init(_ string: String) {
        self.string = string
        bytes = Array(string.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    /// Calls `body` with a view that is valid only during the call.
    func withView<Result, Failure: Error>(_ body: (StringView) throws(Failure) -> Result) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
            try body(StringView(bytes: buffer, isASCII: isASCII))
        }
    }
}
