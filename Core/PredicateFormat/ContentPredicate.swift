public import WaypostSchema

/// A predicate over a target content identifier, in the format language of `NSPredicate`.
///
/// It contains only what an activation condition may contain: comparisons of `SELF` with constants, joined by `AND`,
/// `OR` and `NOT`. It cannot contain a block, a regular expression or a key path other than `SELF`
/// (`docs/predicates.md`).
public struct ContentPredicate: Sendable {
    /// The predicate and its compiled program; copies share it.
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

    /// The maximum length of a format, and of a canonical form that is packaged, in UTF-8 bytes.
    public static let maximumLength = 100_000

    /// Creates the predicate that always evaluates to `value`.
    public init(value: Bool) {
        self.init(PredicateTree(nodes: [.constant(value)]))
    }

    /// Creates a predicate by parsing `format`, with `arguments` in place of its placeholders.
    ///
    /// `%@` takes any value, `%K` the key path `SELF`, `%d` and similar whole numbers, `%f` and similar numbers, `%s`
    /// strings. Inside quotation marks, there are no placeholders.
    ///
    /// - Throws: `ContentPredicateError` with the offset of the error in the format: `syntax` if it cannot be parsed,
    ///   `forbidden` if an activation condition may not use it.
    /// - Complexity: O(length of `format`).
    public init(format: String, _ arguments: any PredicateArgument...) throws(ContentPredicateError) {
        try self.init(format: format, arguments: arguments)
    }

    /// Creates a predicate by parsing `format`, with `arguments` in place of its placeholders.
    ///
    /// - Throws: `ContentPredicateError` with the offset of the error in the format: `syntax` if it cannot be parsed,
    ///   `forbidden` if an activation condition may not use it.
    /// - Complexity: O(length of `format`).
    public init(format: String, arguments: [any PredicateArgument]) throws(ContentPredicateError) {
        try self.init(bytes: Array(format.utf8), arguments: arguments.map(\.predicateValue))
    }

    /// Creates a predicate by parsing the UTF-8 text `bytes`.
    ///
    /// - Throws: `ContentPredicateError` with the offset of the first byte that is not UTF-8; otherwise as
    ///   `init(format:)`.
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
        try Self.checkLength(bytes.count, of: "a format", at: Self.maximumLength)
        var parser = try PredicateParser(bytes, arguments: arguments)
        let tree = try parser.parse()
        let canonicalText = tree.canonicalText
        // The predicate is sent in canonical form, which can be longer than the format, so that must also be within the
        // limit.
        try Self.checkLength(canonicalText.utf8.count, of: "a canonical form", at: 0)
        storage = Storage(tree, canonicalText: canonicalText)
    }

    /// Creates a predicate from `tree`.
    init(_ tree: PredicateTree) {
        storage = Storage(tree, canonicalText: tree.canonicalText)
    }

    static func checkLength(_ length: Int, of what: String, at offset: Int) throws(ContentPredicateError) {
        guard length > maximumLength else { return }
        let message = """
            found \(what) of \(length) bytes; at most \(maximumLength) are accepted; \
            SELF IN {…} is shorter than many comparisons joined by OR
            """
        throw ContentPredicateError(code: .syntax, message: message, offset: offset)
    }

    var tree: PredicateTree { storage.tree }

    var program: PredicateProgram { storage.program }

    /// Returns whether the predicate is true for `value`, which is the value of `SELF`.
    ///
    /// Operands of `AND` and `OR` are evaluated from left to right, until the result is known.
    ///
    ///     let predicate = try ContentPredicate(format: "SELF BEGINSWITH %@", "clowns/")
    ///     let isClown = try predicate.evaluate(with: "clowns/crusty")
    ///
    /// - Throws: `ContentPredicateError` with the code `evaluation` if an evaluated comparison is impossible, such as
    ///   one of a string with a number.
    /// - Complexity: For `==`, `BEGINSWITH`, `ENDSWITH` and the orderings, linear in the lengths of `value` and of the
    ///   predicate's strings. For `CONTAINS` and `LIKE`, see `docs/predicates.md`. The evaluation allocates nothing if
    ///   `value` and the predicate are ASCII and `SELF` is not a right operand.
    public func evaluate(with value: String) throws(ContentPredicateError) -> Bool {
        let outcome = storage.program.run(on: value)
        if let error = outcome.error { throw error }
        return outcome.answer == .yes
    }
}

extension ContentPredicate: Hashable {
    /// Whether two predicates have the same canonical form.
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.tree == right.storage.tree
    }

    /// Hashes the predicate, by its canonical form.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.tree)
    }
}

extension ContentPredicate: CustomStringConvertible {
    /// The predicate in canonical form, as `NSPredicate.predicateFormat` prints it; parsing it gives an equal
    /// predicate.
    public var description: String {
        storage.canonicalText
    }
}
