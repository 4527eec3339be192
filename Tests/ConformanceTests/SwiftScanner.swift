/// Takes Swift source apart; comments and white space are left out, and what is in a string literal is not code.
struct SwiftScanner {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The tokens of `text`, in order.
    static func tokens(of text: String) -> [SwiftToken] {
        var scanner = SwiftScanner(text)
        var tokens: [SwiftToken] = []
        while let token = scanner.next() { tokens.append(token) }
        return tokens
    }

    /// Returns the next token; `nil` at the end.
    mutating func next() -> SwiftToken? {
        skipBlanks()
        guard place < bytes.count else { return nil }
        if let hashes = hashesOfLiteral() { return literal(hashes: hashes) }
        if bytes[place] == UInt8(ascii: "`") { return quotedName() }
        let start = place
        while place < bytes.count, Self.isPartOfWord(bytes[place]) { place += 1 }
        if place > start { return .word(text(start..<place)) }
        place += 1
        return .mark(Character(Unicode.Scalar(bytes[start])))
    }

    private mutating func skipBlanks() {
        while place < bytes.count {
            if [0x09, 0x0A, 0x0D, 0x20].contains(bytes[place]) {
                place += 1
            } else if has("//") {
                while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
            } else if has("/*") {
                skipBlockComment()
            } else {
                return
            }
        }
    }

    /// Skips a comment with the comments inside it.
    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if has("/*") {
                depth += 1
                place += 2
            } else if has("*/") {
                depth -= 1
                place += 2
            } else {
                place += 1
            }
        } while depth > 0 && place < bytes.count
    }

    /// The name between two grave accents.
    private mutating func quotedName() -> SwiftToken {
        let start = place + 1
        place = bytes[start...].firstIndex(of: UInt8(ascii: "`")) ?? bytes.count
        defer { place = min(place + 1, bytes.count) }
        return .word(text(start..<place))
    }

    /// How many number signs a string literal starts with; `nil` where there is no literal.
    private func hashesOfLiteral() -> Int? {
        let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
        let quote = place + hashes
        return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
    }

    private mutating func literal(hashes: Int) -> SwiftToken {
        let end = String(repeating: "#", count: hashes)
        place += hashes
        // Three quotation marks open lines of text only where nothing else is on their line.
        let hasLines = has("\"\"\"") && lineIsOver(at: place + 3)
        let quotes = hasLines ? "\"\"\"" : "\""
        place += quotes.utf8.count
        let start = place
        while place < bytes.count, !has(quotes + end), hasLines || bytes[place] != UInt8(ascii: "\n") {
            skipCharacter(escapedBy: "\\" + end)
        }
        let content = text(start..<min(place, bytes.count))
        place = min(place + quotes.utf8.count + hashes, bytes.count)
        return .literal(content)
    }

    /// Skips a character of a literal, or what an escape stands for: an interpolation has literals of its own.
    private mutating func skipCharacter(escapedBy escape: String) {
        guard has(escape) else {
            place += 1
            return
        }
        place += escape.utf8.count
        guard has("(") else {
            place += 1
            return
        }
        var depth = 0
        repeat {
            switch next() {
            case .mark("("): depth += 1
            case .mark(")"): depth -= 1
            case nil: return
            default: break
            }
        } while depth > 0
    }

    private func lineIsOver(at index: Int) -> Bool {
        bytes[min(index, bytes.count)...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D } == UInt8(ascii: "\n")
    }

    private func has(_ prefix: String) -> Bool {
        bytes[min(place, bytes.count)...].starts(with: prefix.utf8)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
