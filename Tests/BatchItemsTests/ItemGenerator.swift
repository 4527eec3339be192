import WaypostTestSupport

/// A generator of valid items as people and programs may write them.
struct ItemGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Returns an item and its payload, which is a slice of it.
    mutating func item() -> (text: String, payload: String) {
        let payload = object(depth: 0)
        var members = [
            member("token", string()), member("topic", string()), member("payload", payload),
        ]
        for field in ["pushType", "collapseID", "id"] where chance(2) {
            members.append(member(field, chance(5) ? "null" : string()))
        }
        for field in ["priority", "expiration"] where chance(2) {
            members.append(member(field, chance(5) ? "null" : wholeNumber()))
        }
        while chance(3) { members.append(unknownMember()) }
        members.shuffle(using: &random)
        return (blank() + "{" + blank() + members.joined(separator: comma()) + blank() + "}" + blank(), payload)
    }

    /// Returns `true` once in `count` times on average.
    private mutating func chance(_ count: Int) -> Bool {
        Int.random(in: 1...count, using: &random) == 1
    }

    private mutating func one<Element>(of choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &random)]
    }

    private mutating func blank() -> String {
        chance(4) ? one(of: [" ", "\t", "\n", "\r\n", "  \n\t "]) : ""
    }

    private mutating func comma() -> String {
        blank() + "," + blank()
    }
}

// MARK: - Members

extension ItemGenerator {
    private mutating func member(_ name: String, _ value: String) -> String {
        literal(name) + blank() + ":" + blank() + value
    }

    private mutating func unknownMember() -> String {
        let names = ["Token", "token ", "collapse_id", "aps", "", "x", "x", "toke", "\u{212A}ey", "pay\u{301}load"]
        return member(one(of: names), value(depth: 0))
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0...(depth < 4 ? 7 : 4), using: &random) {
        case 0: one(of: ["null", "true", "false"])
        case 1, 2: string()
        case 3, 4: number()
        case 5: array(depth: depth + 1)
        default: object(depth: depth + 1)
        }
    }

    private mutating func array(depth: Int) -> String {
        let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth) }
        return "[" + blank() + elements.joined(separator: comma()) + blank() + "]"
    }

    private mutating func object(depth: Int) -> String {
        // The names are few, so that some occur twice.
        let names = ["a", "b", "aps", "alert", "e\u{301}", "\u{E9}"]
        let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            member(chance(4) ? text() : one(of: names), value(depth: depth))
        }
        return "{" + blank() + members.joined(separator: comma()) + blank() + "}"
    }
}

// MARK: - Numbers

extension ItemGenerator {
    private mutating func wholeNumber() -> String {
        let edges = ["0", "-0", "10", "-1", "9223372036854775807", "-9223372036854775808"]
        return chance(2) ? one(of: edges) : "\(Int(truncatingIfNeeded: random.next()))"
    }

    private mutating func number() -> String {
        switch Int.random(in: 0...5, using: &random) {
        case 0: wholeNumber()
        case 1: one(of: Self.oddNumbers)
        case 2: one(of: ["-", ""]) + digits(1...40)
        case 3: one(of: ["-", ""]) + digits(1...25) + "." + fraction()
        case 4:
            digits(1...5) + one(of: ["e", "E"]) + one(of: ["", "+", "-"]) + "\(Int.random(in: 0...290, using: &random))"
        default: digits(1...3) + "." + fraction() + "e-" + digits(1...4)
        }
    }

    private static let oddNumbers = [
        "-0.0", "0e0", "-0E-0", "0e999999", "1e-400", "-1e-99999", "5e-324", "2.5e-324", "2.2250738585072011e-308",
        "1.7976931348623157e308", "-1.7976931348623158e+308", "9007199254740993", "18446744073709551615",
        "18446744073709551616", "9223372036854775808", "-9223372036854775809", "1E5", "1.0", "100e-2", "0.1e1",
        "1" + String(repeating: "0", count: 308), "0." + String(repeating: "0", count: 330) + "7",
    ]

    /// Returns digits without a leading zero.
    private mutating func digits(_ counts: ClosedRange<Int>) -> String {
        "\(Int.random(in: 1...9, using: &random))" + fraction(Int.random(in: counts, using: &random) - 1)
    }

    private mutating func fraction() -> String {
        fraction(Int.random(in: 1...25, using: &random))
    }

    private mutating func fraction(_ count: Int) -> String {
        (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
    }
}

// MARK: - Strings

extension ItemGenerator {
    private mutating func string() -> String {
        literal(text())
    }

    private mutating func text() -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &random) { scalars.append(scalar()) }
        return String(scalars)
    }

    private mutating func scalar() -> Unicode.Scalar {
        switch Int.random(in: 0...9, using: &random) {
        case 0: Unicode.Scalar(UInt8.random(in: 0...0x1F, using: &random))
        case 1: one(of: ["\"", "\\", "/", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{2028}", "\u{301}"])
        case 2: one(of: ["\u{FEFF}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{D7FF}", "\u{E000}", "\u{10FFFF}"])
        case 3: Unicode.Scalar(UInt32.random(in: 0xA0...0xD7FF, using: &random)) ?? "?"
        case 4: Unicode.Scalar(UInt32.random(in: 0x1_0000...0x10_FFFF, using: &random)) ?? "?"
        default: Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random))
        }
    }

    /// Returns `text` as a JSON string, with the required escapes and some others.
    private mutating func literal(_ text: String) -> String {
        let share = one(of: [2, 10, 1000])
        return "\"" + text.unicodeScalars.map { spelled($0, escapeShare: share) }.joined() + "\""
    }

    private mutating func spelled(_ scalar: Unicode.Scalar, escapeShare: Int) -> String {
        let mustBeEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        guard mustBeEscaped || chance(escapeShare) else { return String(Character(scalar)) }
        if let short = Self.shortEscapes[scalar], chance(2) { return "\\" + short }
        return Character(scalar).utf16.map { escape($0) }.joined()
    }

    private static let shortEscapes: [Unicode.Scalar: String] = [
        "\"": "\"", "\\": "\\", "/": "/", "\u{8}": "b", "\u{C}": "f", "\n": "n", "\r": "r", "\t": "t",
    ]

    private mutating func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16, uppercase: chance(2))
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
