public import WaypostSchema

/// A predicate over a target content identifier, in the format language of `NSPredicate`.
///
/// It has what an activation condition may say and nothing else: comparisons of `SELF` with constants, joined by `AND`,
/// `OR` and `NOT`. No block, no regular expression and no key path but `SELF` can be in it (`docs/predicates.md`).
public struct ContentPredicate: Sendable {
    /// What the predicate says and how it is evaluated; shared by copies.
    private final class Storage: Sendable {
        let tree: PredicateTree
        let program: PredicateProgram
        let canonicalText: String

        init(_ tree: PredicateTree, canonicalText: String) {
            self.tree = tree
            self.canonicalText = canonicalText
            program = tree.program
        }
    }

    private let storage: Storage

    /// The longest format that is read, and the longest canonical form that is packaged, in UTF-8 bytes.
    public static let maximumLength = 100_000

    /// Creates the predicate that always evaluates to `value`.
    public init(value: Bool) {
        self.init(PredicateTree(nodes: [.constant(value)]))
    }

    /// Creates the predicate that `format` spells, with `arguments` in the places of its placeholders.
    ///
    /// `%@` takes any value, `%K` the key path `SELF`, `%d` and its like whole numbers, `%f` and its like numbers, `%s`
    /// strings. Inside quotation marks nothing is a placeholder.
    ///
    /// - Throws: `ContentPredicateError` with the offset of what cannot be read (`syntax`) or may not be used (`forbidden`).
    /// - Complexity: O(length of `format`).
    public init(format: String, _ arguments: any PredicateArgument...) throws(ContentPredicateError) {
        try self.init(format: format, arguments: arguments)
    }

    /// Creates the predicate that `format` spells, with `arguments` in the places of its placeholders.
    ///
    /// - Throws: `ContentPredicateError` with the offset of what cannot be read (`syntax`) or may not be used (`forbidden`).
    /// - Complexity: O(length of `format`).
    public init(format: String, arguments: [any PredicateArgument]) throws(ContentPredicateError) {
        try self.init(bytes: Array(format.utf8), arguments: arguments.map(\.predicateValue))
    }

    /// Creates the predicate that the UTF-8 text `bytes` spells.
    ///
    /// - Throws: `ContentPredicateError` with the offset of the first byte that is no UTF-8, and as `init(format:)` does.
    public init(utf8 bytes: some Sequence<UInt8>) throws(ContentPredicateError) {
        let bytes = Array(bytes)
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            let message = "found a byte that is not UTF-8; a format must be UTF-8"
            throw ContentPredicateError(code: .syntax, message: message, offset: error.byteOffsets.lowerBound)
        }
        try self.init(bytes: bytes, arguments: [])
    }

    private init(bytes: [UInt8], arguments: [PredicateValue]) throws(ContentPredicateError) {
        try Self.check(length: bytes.count, of: "a format", at: Self.maximumLength)
        var parser = try PredicateParser(bytes, arguments: arguments)
        let tree = try parser.parse()
        let canonicalText = tree.canonicalText
        // What is read must be readable in canonical form too, which can be longer: it travels so.
        try Self.check(length: canonicalText.utf8.count, of: "a canonical form", at: 0)
        storage = Storage(tree, canonicalText: canonicalText)
    }

    /// Creates the predicate that `tree` is.
    init(_ tree: PredicateTree) {
        storage = Storage(tree, canonicalText: tree.canonicalText)
    }

    static func check(length: Int, of what: String, at offset: Int) throws(ContentPredicateError) {
        guard length > maximumLength else { return }
        let message = """
            found \(what) of \(length) bytes; at most \(maximumLength) are accepted; \
            SELF IN {…} is shorter than many comparisons joined by OR
            """
        throw ContentPredicateError(code: .syntax, message: message, offset: offset)
    }

    var tree: PredicateTree { storage.tree }

    var program: PredicateProgram { storage.program }

    /// Returns whether `value`, which `SELF` stands for, is one that the predicate describes.
    ///
    /// Operands of `AND` and `OR` are evaluated from left to right and no further than the answer needs.
    ///
    /// - Throws: `ContentPredicateError` with the code `evaluation` where a comparison that is reached cannot be made, such as of
    ///   a string with a number.
    /// - Complexity: linear in the lengths of `value` and of the predicate's strings for `==`, `BEGINSWITH`, `ENDSWITH`
    ///   and the orderings; `CONTAINS` and `LIKE` as `docs/predicates.md` has it. Nothing is allocated where `value` and
    ///   the predicate are ASCII and `SELF` is no operand on the right.
    public func evaluate(with value: String) throws(ContentPredicateError) -> Bool {
        let outcome = storage.program.run(on: value)
        if let error = outcome.error { throw error }
        return outcome.answer == .yes
    }
}

extension ContentPredicate: Hashable {
    /// Whether two predicates say the same with the same words: whether their canonical forms are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.tree == right.storage.tree
    }

    /// Feeds what the predicate says into `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.tree)
    }
}

extension ContentPredicate: CustomStringConvertible {
    /// The predicate in canonical form, as `NSPredicate.predicateFormat` prints it; reading it gives an equal predicate.
    public var description: String {
        storage.canonicalText
    }
}
