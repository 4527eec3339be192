internal import WaypostSchema

/// Reads a predicate format.
///
///     predicate   = conjunction *( OR conjunction )
///     conjunction = factor *( AND factor )
///     factor      = NOT factor / "(" predicate ")" / TRUEPREDICATE / FALSEPREDICATE / comparison
///
/// Parentheses stand on a stack of our own, as a chain in parentheses in a chain may be nested as deeply as a format is
/// long (`((a OR b) OR c) OR …`). What is forbidden is read to its end nevertheless: a format that cannot be read at all
/// is refused for that first.
struct PredicateParser {
    /// The deepest nesting that is read (`docs/predicates.md`).
    static let maximumNesting = 256

    private(set) var lexer: PredicateLexer
    private(set) var current: PredicateToken
    var nodes: [PredicateTree.Node] = []
    private var restriction: ContentPredicateError?

    /// How many operands are being read that hold others.
    private var depth = 0
    var arguments: ArraySlice<PredicateValue>
    var argumentsRead = 0

    /// Where a block was found, as it prints, unless it has been compared with something.
    var blockOffset: Int?

    init(_ format: [UInt8], arguments: [PredicateValue] = []) throws(ContentPredicateError) {
        lexer = PredicateLexer(format)
        self.arguments = arguments[...]
        current = try lexer.next()
    }

    mutating func parse() throws(ContentPredicateError) -> PredicateTree {
        let term = try parseTerm()
        if case .operand = term { throw missingOperatorError() }
        guard current.kind == .end else { throw error(expecting: "AND, OR or the end of the format") }
        try checkArguments()
        if let restriction { throw restriction }
        return PredicateTree(nodes: nodes)
    }

    static func tooDeep(at offset: Int) -> ContentPredicateError {
        let message = """
            found a nesting deeper than \(maximumNesting) levels, which is the maximum; \
            SELF IN {…} replaces many comparisons joined by OR
            """
        return ContentPredicateError(code: .syntax, message: message, offset: offset)
    }
}

extension PredicateParser {
    mutating func advance() throws(ContentPredicateError) {
        current = try lexer.next()
    }

    /// Advances over the current token if it is `keyword` or `symbol`.
    mutating func skip(_ keyword: String, _ symbol: String? = nil) throws(ContentPredicateError) -> Bool {
        guard current.keyword == keyword || symbol.map({ current.kind == .symbol($0) }) ?? false else { return false }
        try advance()
        return true
    }

    /// The text of the format from `start` up to `end`, for a message.
    func excerpt(from start: Int, to end: Int) -> String {
        // One byte more than is shown tells that there is more.
        lexer.scanner.text(from: start, to: min(end, start + String.excerptLength + 1)).excerpt
    }

    /// Remembers what may not be used, so that it is refused when the whole format has been read; of several, the first.
    mutating func restrict(_ found: (Self) -> PredicateRestriction, at offset: Int) {
        guard restriction.map({ offset < $0.offset }) ?? true else { return }
        restriction = ContentPredicateError(code: .forbidden, message: found(self).message, offset: offset)
    }

    mutating func restrict(_ found: PredicateRestriction, at offset: Int) {
        restrict({ _ in found }, at: offset)
    }

    /// Goes into an operand that holds others; whatever reads one recurses.
    mutating func descend() throws(ContentPredicateError) {
        depth += 1
        try check(depth, at: current.offset)
    }

    mutating func ascend() {
        depth -= 1
    }

    func check(_ nesting: Int, at offset: Int) throws(ContentPredicateError) {
        guard nesting <= Self.maximumNesting else { throw Self.tooDeep(at: offset) }
    }

    /// The error of the current token, which stands where `expected` should.
    func error(expecting expected: String) -> ContentPredicateError {
        var message = "found \(current.name) where \(expected) is expected"
        if let restriction { message += "; also \(restriction.message)" }
        return ContentPredicateError(code: .syntax, message: message, offset: current.offset)
    }

    /// The error of an operand before the current token that is not compared with anything.
    func missingOperatorError() -> ContentPredicateError {
        // What a block prints as is no format, so that it is the error itself.
        if let blockOffset {
            return ContentPredicateError(
                code: .syntax,
                message: PredicateRestriction.block.message,
                offset: blockOffset
            )
        }
        if current.keyword == "NOT" {
            return error(expecting: "an operator (NOT goes before a comparison; != is an operator)")
        }
        var meant: String?
        if case .word(let word) = current.kind { meant = PredicateVocabulary.suggestion(for: word) }
        return error(expecting: "an operator, such as \(meant ?? "==, BEGINSWITH or LIKE"),")
    }
}

extension String {
    /// How many bytes of a format a message repeats at most.
    static let excerptLength = 60

    /// The text for a message: as it is, without white space at its end, or its beginning where it is long.
    var excerpt: String {
        guard utf8.count > Self.excerptLength else {
            return String(reversed().drop(while: \.isWhitespace).reversed())
        }
        // A character that the end would cut in two is left out.
        let beginning = String(decoding: utf8.prefix(Self.excerptLength), as: UTF8.self)
        return String(beginning.prefix { $0 != "\u{FFFD}" }) + "…"
    }
}
