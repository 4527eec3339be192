internal import TextBasics
internal import WaypostSchema

/// A parser for predicate formats.
///
///     predicate   = conjunction *( OR conjunction )
///     conjunction = factor *( AND factor )
///     factor      = NOT factor / "(" predicate ")" / TRUEPREDICATE / FALSEPREDICATE / comparison
///
/// Parentheses are kept on an explicit stack, because chains in parentheses may be nested as deeply as the format is
/// long (`((a OR b) OR c) OR …`). The parser reads forbidden constructs to their end, because a syntax error anywhere
/// in the format takes precedence.
struct PredicateParser {
    /// The maximum nesting that is accepted (`docs/predicates.md`).
    static let maximumNesting = 256

    private(set) var lexer: PredicateLexer
    private(set) var current: PredicateToken

    /// The nodes of the tree that are complete.
    var nodes: [PredicateTree.Node] = []

    /// The offset after the string before the current token; `nil` if that is another token.
    private var endOfString: Int?

    /// The error for the first forbidden construct.
    private var forbiddenError: ContentPredicateError?

    /// The number of nested operands that are being parsed.
    private var depth = 0
    var arguments: ArraySlice<PredicateValue>
    var readArgumentCount = 0

    /// The place of the latest block, in the form in which blocks are printed, up to the next token; `nil` for none.
    var block: Range<Int>?

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
        if let forbiddenError { throw forbiddenError }
        return PredicateTree(nodes: nodes)
    }

    static func tooDeepError(at offset: Int) -> ContentPredicateError {
        let message = """
            found a nesting deeper than \(maximumNesting) levels, which is the maximum (Waypost's limit, not Apple's); \
            SELF IN {…} replaces many comparisons joined by OR
            """
        return ContentPredicateError(code: .syntax, message: message, offset: offset)
    }
}

extension PredicateParser {
    mutating func advance() throws(ContentPredicateError) {
        endOfString = if case .string = current.kind { lexer.scanner.position } else { nil }
        do throws(ContentPredicateError) {
            current = try lexer.next()
        } catch {
            throw error.adding(hint(aboutStringAt: error.offset))
        }
    }

    /// Skips the current token if it is `keyword` or `symbol`.
    mutating func skip(_ keyword: String, or symbol: String? = nil) throws(ContentPredicateError) -> Bool {
        guard current.keyword == keyword || symbol.map({ current.kind == .symbol($0) }) ?? false else { return false }
        try advance()
        return true
    }

    /// Returns the text of the format from `start` up to `end`, for a message.
    func excerpt(from start: Int, to end: Int) -> String {
        // The additional byte indicates that the format continues.
        lexer.scanner.text(from: start, to: min(end, start + String.excerptLength + 1)).excerpt
    }

    /// Records a forbidden construct; after parsing the whole format, `parse` throws the error for the first one.
    mutating func recordForbidden(_ construct: (Self) -> ForbiddenConstruct, at offset: Int) {
        guard forbiddenError.map({ offset < $0.offset }) ?? true else { return }
        forbiddenError = ContentPredicateError(code: .forbidden, message: construct(self).message, offset: offset)
    }

    mutating func recordForbidden(_ construct: ForbiddenConstruct, at offset: Int) {
        recordForbidden({ _ in construct }, at: offset)
    }

    /// Enters an operand that contains others; these are parsed recursively, so the depth is limited.
    mutating func descend() throws(ContentPredicateError) {
        depth += 1
        try checkNesting(depth, at: current.offset)
    }

    mutating func ascend() {
        depth -= 1
    }

    func checkNesting(_ nesting: Int, at offset: Int) throws(ContentPredicateError) {
        guard nesting <= Self.maximumNesting else { throw Self.tooDeepError(at: offset) }
    }

    /// Returns the error for the current token, which stands in place of `expected`.
    func error(expecting expected: String) -> ContentPredicateError {
        var message = "found \(current.name) where \(expected) is expected"
        if let hint = apostropheHint { message += hint }
        if let forbiddenError { message += "; also \(forbiddenError.message)" }
        return ContentPredicateError(code: .syntax, message: message, offset: current.offset)
    }

    /// The hint for a token after a string that a quotation mark of the text ended.
    private var apostropheHint: String? {
        guard let endOfString else { return nil }
        let mark = mark(before: endOfString)
        // In most formats the mark was not meant if a word follows it directly, or if another one is left.
        switch current.kind {
        case .word where current.offset == endOfString: break
        case .word, .number, .string:
            guard lexer.scanner.rest(from: endOfString).contains(mark) else { return nil }
        default: return nil
        }
        return hint(about: mark, before: endOfString)
    }

    /// The hint for a string without an end that begins with the quotation mark that ended the string before it.
    private func hint(aboutStringAt offset: Int) -> String? {
        guard let endOfString, endOfString == offset else { return nil }
        let mark = mark(before: endOfString)
        return lexer.scanner.rest(from: endOfString).hasPrefix(mark) ? hint(about: mark, before: endOfString) : nil
    }

    private func mark(before endOfString: Int) -> String {
        lexer.scanner.text(from: endOfString - 1, to: endOfString)
    }

    private func hint(about mark: String, before endOfString: Int) -> String {
        let (name, others) = mark == "'" ? ("apostrophe", "double quotation marks") : ("quotation mark", "apostrophes")
        return """
            ; the \(name) at offset \(endOfString - 1) ends the string: write \\\(mark) for one inside of it, or use \
            \(others)
            """
    }

    /// Returns the error for an operand before the current token that is not compared with anything.
    func missingOperatorError() -> ContentPredicateError {
        if current.keyword == "NOT" {
            return error(expecting: "an operator (NOT goes before a comparison; != is an operator)")
        }
        var correction: String?
        if case .word(let word) = current.kind { correction = PredicateVocabulary.suggestion(for: word) }
        return error(expecting: "an operator, such as \(correction ?? "==, BEGINSWITH or LIKE"),")
    }
}

extension ContentPredicateError {
    /// Returns the error with a hint at the end of its message.
    fileprivate func adding(_ hint: String?) -> Self {
        Self(code: code, message: message + (hint ?? ""), offset: offset)
    }
}

extension String {
    /// The maximum number of bytes of a format that a message quotes.
    static let excerptLength = 60

    /// The text for a message: without trailing white space, or truncated if it is long.
    var excerpt: String {
        guard utf8.count > Self.excerptLength else {
            return String(reversed().drop(while: \.isWhitespace).reversed()).safe(for: .log)
        }
        // A character that would be cut is omitted.
        let beginning = String(decoding: utf8.prefix(Self.excerptLength), as: UTF8.self)
        return String(beginning.prefix { $0 != "\u{FFFD}" }).safe(for: .log) + "…"
    }
}
