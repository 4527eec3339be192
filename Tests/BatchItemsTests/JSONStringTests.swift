import BatchItems
import JSONScanning
import Testing

/// RFC 8259, sections 7 and 8.2.
@Suite struct JSONStringTests {
    static let invalidEscapes = [
        #"\a"#, #"\x41"#, #"\'"#, #"\0"#, #"\U0041"#, #"\v"#, #"\ü"#, #"\ "#, "\\\n", #"\u"#, #"\u12"#, #"\u123"#,
        #"\u123g"#, #"\u+123"#, #"\u 123"#, #"\u{41}"#, #"\u１234"#,
    ]

    static let halfPairs = [
        #"‸\uD800"#, #"‸\uDBFF"#, #"‸\uDC00"#, #"‸\udfff"#, #"‸\uD83Dx"#, #"‸\uD83D\n"#, #"‸\uD83D\\uDE00"#,
        #"‸\uD83D\uD83D\uDE00"#, #"‸\uD83D\u0041"#, #"‸\uD83D\uE000"#, #"‸\uDE00\uD83D"#, #"\uD83D\uDE00‸\uDE00"#,
        #"ab\n‸\uD83D"#,
    ]

    static let unterminated = [
        InvalidJSONCase(#"{"a":"‸"#, expecting: "the end of a string"),
        InvalidJSONCase(#"{"a":"b}‸"#, expecting: "the end of a string"),
        InvalidJSONCase(#"{"a":"b\"}‸"#, expecting: "the end of a string"),
        InvalidJSONCase(#"{"a":"b\‸"#, expecting: "the rest of an escape"),
        InvalidJSONCase(#"{"a\‸"#, expecting: "the rest of an escape"),
    ]

    static let accepted = [
        #""""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000\u001F\u00e9\uFFFF\ufdd0""#, #""\uD83D\uDE00""#, #""\ud800\udc00""#,
        #""\uDBFF\uDFFF""#, #""\\u12""#, #""\uD7FF\uE000""#, "\"\u{7F}\u{80}\u{2028}\u{FEFF}\u{FFFE}\"", #""/""#,
        #""'""#,
    ]

    @Test(arguments: UInt8(0x00)..<0x20)
    func controlCharacterMustBeEscaped(byte: UInt8) {
        let character = Character(Unicode.Scalar(byte))
        InvalidJSONCase("{\"a\":\"b‸\(character)\"}", .controlCharacter(byte)).expectError()
        InvalidJSONCase("{\"‸\(character)\":1}", .controlCharacter(byte)).expectError()
        InvalidJSONCase("{\"token\":\"‸\(character)\"}", .controlCharacter(byte)).expectError()
    }

    @Test(arguments: invalidEscapes)
    func invalidEscapeIsRefused(escape: String) {
        InvalidJSONCase(#"{"a":"b‸\#(escape)"}"#, .invalidEscape).expectError()
        InvalidJSONCase(#"{"‸\#(escape)":1}"#, .invalidEscape).expectError()
        InvalidJSONCase(#"{"topic":"‸\#(escape)"}"#, .invalidEscape).expectError()
    }

    @Test func invalidEscapeAfterALoneSurrogateIsRefusedAtItsPlace() {
        InvalidJSONCase(#"{"a":"\uD83D‸\uZZZZ"}"#, .invalidEscape).expectError()
    }

    @Test(arguments: halfPairs)
    func loneSurrogateIsRefused(text: String) {
        InvalidJSONCase(#"{"a":"\#(text)"}"#, .unpairedSurrogate).expectError()
        InvalidJSONCase(#"{"\#(text)":1}"#, .unpairedSurrogate).expectError()
        InvalidJSONCase(#"{"id":"\#(text)"}"#, .unpairedSurrogate).expectError()
    }

    @Test(arguments: unterminated)
    func stringMustEnd(_ example: InvalidJSONCase) {
        example.expectError()
    }

    @Test(arguments: accepted)
    func validStringIsSkipped(string: String) {
        #expect(scanError(item(withUnknown: string)) == nil)
        #expect(scanError(Array(#"{"token":"a","topic":"b","payload":{\#(string):0}}"#.utf8)) == nil)
    }
}
