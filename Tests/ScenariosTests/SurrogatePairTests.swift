import SchemaFiles
import Testing

/// The characters for which JSON has two escapes, and YAML has none.
@Suite struct SurrogatePairTests {
    @Test(arguments: [
        (#"{"a":"\ud83d\ude00"}"#, "{\"a\":\"\u{1F600}\"}"),
        (#"{"a":"\uD83D\uDE00\ud83d\ude01\uD83D\ude00"}"#, "{\"a\":\"\u{1F600}\u{1F601}\u{1F600}\"}"),
        (#"{"a":"\ud83d\ude00\\\ud83d\ude01"}"#, "{\"a\":\"\u{1F600}\\\\\u{1F601}\"}"),
        (#"{"a":"\n\ud83d\ude00\"\ud83d\ude01"}"#, "{\"a\":\"\\n\u{1F600}\\\"\u{1F601}\"}"),
        (#"{"\udbff\udfff":"\ud800\udc00"}"#, "{\"\u{10FFFF}\":\"\u{10000}\"}"),
        // A mark or a joiner makes another character of the last digit.
        ("{\"a\":\"\\ud83d\\ude00\u{301}\\ud83d\\ude01\u{200D}\"}", "{\"a\":\"\u{1F600}\u{301}\u{1F601}\u{200D}\"}"),
    ])
    func pairOfEscapesIsOneCharacter(_ text: String, expected: String) throws {
        let read = try FileText(text, file: "file").text
        #expect(Array(read.utf8) == Array(expected.utf8), "\(read)")
    }

    /// Backslashes are themselves in a plain scalar, so that libyaml does not refuse the text.
    @Test(arguments: [
        #"\\ud83d\ude00"#, #"\\\\ud83d\\ude00"#, #"\u00e9\u0041\n"#, #"\"#, #"\u"#, #"\ud83d\ude0"#, #"\ud83d\ude0x"#,
        #"\ud83d ude00"#, #"\ud83d\xde00"#, #"\ude00\ud83d"#, #"\ud83d\ud83d"#, "\\\u{E9}\\\u{1F600}",
    ])
    func otherEscapesAreNotReplaced(_ text: String) throws {
        let read = try FileText("a: " + text, file: "file").text
        #expect(Array(read.utf8) == Array("a: \(text)".utf8), "\(read)")
    }
}
