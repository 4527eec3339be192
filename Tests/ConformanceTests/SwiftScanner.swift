/// A tokenizer of Swift source.
///
/// It skips comments and white space, and the contents of a string literal are not code.
struct SwiftScanner {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the tokens of `text`, in order.
    static func tokens(of text: String) -> [SwiftToken] {
        var scanner = SwiftScanner(text)
        var tokens: [SwiftToken] = []
        while let token = scanner.next() { tokens.append(token) }
        return tokens
    }

    /// Returns the next token, or `nil` at the end.
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

    /// Skips a comment, including nested comments.
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

    /// Returns the name between two backticks.
    private mutating func quotedName() -> SwiftToken {
        let start = place + 1
        place = bytes[start...].firstIndex(of: UInt8(ascii: "`")) ?? bytes.count
        defer { place = min(place + 1, bytes.count) }
        return .word(text(start..<place))
    }

    /// Returns the number of `#` characters at the start of a string literal, or `nil` if no literal starts here.
    private func hashesOfLiteral() -> Int? {
        let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
        let quote = place + hashes
        return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
    }

    private mutating func literal(hashes: Int) -> SwiftToken {
        let end = String(repeating: "#", count: hashes)
        place += hashes
        // Three quotation marks open a multiline literal only if nothing else follows on their line.
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

    /// Skips a character of a literal or an escape.
    ///
    /// An interpolation may contain literals of its own.
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
