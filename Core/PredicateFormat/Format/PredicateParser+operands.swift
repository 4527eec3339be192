internal import WaypostSchema

/// The operands. Only `SELF` and constants are allowed; everything else in the language is parsed only to name it in
/// the error.
///
///     operand = primary *( "." name / "[" index "]" / arithmetic primary )
///     primary = SELF / string / number / NIL / TRUE / FALSE / "{" operands "}" / "(" operand ")" / placeholder
///             / name / name "(" terms ")" / "$" name [ ":=" operand ] / sign primary
extension PredicateParser {
    mutating func parseOperand() throws(ContentPredicateError) -> PredicateOperand {
        let start = current.offset
        let first = try parsePrimary()
        return try parseRest(of: first, startingAt: start)
    }

    /// Parses what extends `first` to a longer operand: key-path steps, elements and arithmetic.
    mutating func parseRest(
        of first: PredicateOperand,
        startingAt start: Int
    ) throws(ContentPredicateError) -> PredicateOperand {
        if current.kind == .symbol(".") {
            var end = start
            while current.kind == .symbol(".") { end = try readDottedPathStep() }
            recordForbidden({ .keyPath($0.excerpt(from: start, to: end)) }, at: start)
        }
        while case .symbol(let symbol) = current.kind {
            let offset = current.offset
            if symbol == "[" {
                recordForbidden({ .element(of: $0.excerpt(from: start, to: offset)) }, at: offset)
                try readIndex()
            } else if symbol == "." {
                _ = try readDottedPathStep()
            } else if PredicateVocabulary.arithmeticOperators.contains(symbol) {
                recordForbidden(.arithmetic(symbol), at: offset)
                try advance()
                _ = try parsePrimary()
            } else {
                break
            }
        }
        return first
    }

    private mutating func parsePrimary() throws(ContentPredicateError) -> PredicateOperand {
        while current.kind == .symbol("-") || current.kind == .symbol("~") {
            if let number = try readNegativeNumber() { return .number(number) }
        }
        let token = current
        switch token.kind {
        case .string(let string):
            try advance()
            return .string(PredicateOperand.StringValue(value: string))
        case .number(let number):
            try advance()
            return .number(number)
        case .placeholder(let placeholder): return try readArgument(for: placeholder)
        case .variable(let name): return try readVariable(name)
        case .symbol("{"): return .aggregate(try readElements())
        case .symbol("("): return try readParentheses()
        case .symbol("@"), .word, .escapedWord: return try readWord()
        case .symbol, .end: throw error(expecting: "SELF, a string, a number, nil or {…}")
        }
    }

    /// Parses a sign; before a number it makes a constant, otherwise it is arithmetic.
    private mutating func readNegativeNumber() throws(ContentPredicateError) -> PredicateNumber? {
        let sign = current
        try advance()
        guard sign.kind == .symbol("-"), case .number(let number) = current.kind else {
            recordForbidden(.arithmetic(sign.kind == .symbol("-") ? "-" : "~"), at: sign.offset)
            return nil
        }
        try advance()
        return number.negated
    }

    private mutating func readVariable(_ name: String) throws(ContentPredicateError) -> PredicateOperand {
        let offset = current.offset
        try advance()
        if current.kind == .symbol(":=") {
            recordForbidden(.assignment(name), at: offset)
            try descend()
            defer { ascend() }
            try advance()
            return try parseOperand()
        }
        recordForbidden(.variable(name), at: offset)
        return .nothing
    }

    private mutating func readElements() throws(ContentPredicateError) -> [PredicateOperand] {
        try descend()
        defer { ascend() }
        let opening = current.offset
        try advance()
        var elements: [PredicateOperand] = []
        guard current.kind != .symbol("}") else {
            try advance()
            return elements
        }
        while true {
            elements.append(try parseOperand())
            if current.kind == .symbol("}") { break }
            guard current.kind == .symbol(",") else {
                throw error(expecting: "',' or the '}' that closes the '{' at offset \(opening)")
            }
            try advance()
        }
        try advance()
        return elements
    }

    private mutating func readParentheses() throws(ContentPredicateError) -> PredicateOperand {
        try descend()
        defer { ascend() }
        let opening = current.offset
        try advance()
        let operand = try parseOperand()
        guard current.kind == .symbol(")") else {
            let hint = current.kind == .symbol(",") ? " (write the elements of an aggregate between '{' and '}')" : ""
            throw error(expecting: "the ')' that closes the '(' at offset \(opening)\(hint)")
        }
        try advance()
        return operand
    }
}

extension PredicateParser {
    private mutating func readWord() throws(ContentPredicateError) -> PredicateOperand {
        switch current.keyword {
        case "SELF": return try readConstant(.subject)
        case "NIL", "NULL": return try readConstant(.nothing)
        case "TRUE", "YES": return try readConstant(.number(.integer(1)))
        case "FALSE", "NO": return try readConstant(.number(.integer(0)))
        case "CAST"? where lexer.isFollowed(by: "("), "SUBQUERY"? where lexer.isFollowed(by: "("),
            "FETCH"? where lexer.isFollowed(by: "("):
            return try readName()
        case let keyword? where PredicateVocabulary.reservedWords.contains(keyword):
            throw error(expecting: "SELF, a string, a number, nil or {…}")
        default: return try readName()
        }
    }

    private mutating func readConstant(_ operand: PredicateOperand) throws(ContentPredicateError) -> PredicateOperand {
        try advance()
        return operand
    }

    /// Parses a key path, or a call of a function whose name may contain colons.
    private mutating func readName() throws(ContentPredicateError) -> PredicateOperand {
        let start = current.offset
        var end = try readPathStep()
        while current.kind == .symbol(":") {
            end = current.offset + 1
            try advance()
            if case .word = current.kind { end = try readPathStep() }
        }
        guard current.kind == .symbol("(") else {
            let name = excerpt(from: start, to: end)
            guard !name.hasSuffix(":") else {
                throw error(expecting: "the argument list of '\(name)' (a string needs quotation marks)")
            }
            while current.kind == .symbol(".") { end = try readDottedPathStep() }
            recordForbidden({ .keyPath($0.excerpt(from: start, to: end)) }, at: start)
            return .nothing
        }
        let function = lexer.scanner.text(from: start, to: end).uppercased()
        end = try readCallArguments()
        recordForbidden({ .call(of: function, spelled: $0.excerpt(from: start, to: end)) }, at: start)
        if function == "BLOCKPREDICATE" { block = start..<current.offset }
        return .nothing
    }

    /// Parses a `.` and the name after it, and returns the end offset.
    private mutating func readDottedPathStep() throws(ContentPredicateError) -> Int {
        try advance()
        if let keyword = current.keyword, PredicateVocabulary.connectives.contains(keyword) {
            throw error(expecting: "a name (a keyword needs # before it)")
        }
        let end = try readPathStep()
        return current.kind == .symbol("(") ? try readCallArguments() : end
    }

    /// Parses a name, or `@` and a name, and returns the end offset.
    private mutating func readPathStep() throws(ContentPredicateError) -> Int {
        if current.kind == .symbol("@") { try advance() }
        let offset = current.offset
        switch current.kind {
        case .word(let word):
            try advance()
            return offset + word.utf8.count
        case .escapedWord(let word):
            try advance()
            return offset + word.utf8.count + 1
        default: throw error(expecting: "a name")
        }
    }

    /// Parses the arguments of a call, which may be predicates, and returns the end offset of the call.
    private mutating func readCallArguments() throws(ContentPredicateError) -> Int {
        try descend()
        defer { ascend() }
        try advance()
        if current.kind != .symbol(")") { _ = try parseTerm() }
        while current.kind == .symbol(",") {
            try advance()
            _ = try parseTerm()
        }
        guard current.kind == .symbol(")") else { throw error(expecting: "',' or the ')' that closes the arguments") }
        let end = current.offset + 1
        try advance()
        return end
    }

    /// Parses the index between square brackets after an operand.
    private mutating func readIndex() throws(ContentPredicateError) {
        try descend()
        defer { ascend() }
        try advance()
        if let word = current.keyword, ["FIRST", "LAST", "SIZE"].contains(word) {
            try advance()
        } else {
            _ = try parseOperand()
        }
        guard current.kind == .symbol("]") else { throw error(expecting: "']'") }
        try advance()
    }
}

extension PredicateNumber {
    fileprivate var negated: PredicateNumber {
        switch self {
        case .integer(let value): .integer(-value)
        case .real(let value): PredicateNumber(-value)
        }
    }
}

extension ForbiddenConstruct {
    /// Returns the call of a function, whose name is in upper case.
    fileprivate static func call(of function: String, spelled spelling: String) -> Self {
        switch function {
        case "BLOCKPREDICATE": .block
        case "FUNCTION": .selector(spelling)
        default: .function(spelling)
        }
    }
}
