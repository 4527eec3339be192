import BatchItems
import JSONScanning
import Testing

@Suite struct ScannedStringTests {
    struct Case: CustomTestStringConvertible {
        var literal: String
        var value: String
        var hasEscapes: Bool

        var testDescription: String { literal.debugDescription }
    }

    static let cases = [
        Case(literal: "", value: "", hasEscapes: false),
        Case(literal: "plain", value: "plain", hasEscapes: false),
        Case(literal: "naïve 🤹 \u{FEFF}\u{7F}", value: "naïve 🤹 \u{FEFF}\u{7F}", hasEscapes: false),
        Case(literal: #"\"\\\/\b\f\n\r\t"#, value: "\"\\/\u{8}\u{C}\n\r\t", hasEscapes: true),
        Case(literal: #"\u0041\u00e9\u00E9"#, value: "Aéé", hasEscapes: true),
        Case(literal: #"\u0000"#, value: "\u{0}", hasEscapes: true),
        Case(literal: #"\uFFFF\uFEFF"#, value: "\u{FFFF}\u{FEFF}", hasEscapes: true),
        Case(literal: #"\uD83E\uDD39"#, value: "🤹", hasEscapes: true),
        Case(literal: #"\uD800\uDC00\uDBFF\uDFFF"#, value: "\u{10000}\u{10FFFF}", hasEscapes: true),
        Case(literal: #"a\nb\nc"#, value: "a\nb\nc", hasEscapes: true),
        Case(literal: #"🤹\ud83e\udd39🤹"#, value: "🤹🤹🤹", hasEscapes: true),
        Case(literal: #"e\u0301"#, value: "e\u{301}", hasEscapes: true),
        Case(literal: #"\\u0041"#, value: #"\u0041"#, hasEscapes: true),
        Case(literal: #"\\\\"#, value: #"\\"#, hasEscapes: true),
    ]

    @Test(arguments: cases)
    func literalHasItsValue(_ example: Case) throws {
        let bytes = Array(#"{"token":"\#(example.literal)","topic":"","payload":{}}"#.utf8)
        let token = try ScannedItem.scan(bytes, in: bytes.indices).token
        #expect(Array(token.string(in: bytes).utf8) == Array(example.value.utf8))
        #expect(token.hasEscapes == example.hasEscapes)
        #expect(token.range == 10..<(10 + example.literal.utf8.count))
    }

    @Test(arguments: ["tok\\u0065n", "\\u0074\\u006F\\u006b\\u0065\\u006E", "t\\u006fken"])
    func nameMayBeSpelledWithEscapes(name: String) throws {
        let bytes = Array(#"{"\#(name)":"a","topic":"b","payload":{}}"#.utf8)
        #expect(try ScannedItem.scan(bytes, in: bytes.indices).token.string(in: bytes) == "a")
    }
}
