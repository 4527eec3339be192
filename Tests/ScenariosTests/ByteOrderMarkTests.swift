import SchemaFiles
import Testing
import WaypostSchema

/// U+FEFF in files: a byte order mark at the start of the file, and elsewhere a character that begins no text.
@Suite struct ByteOrderMarkTests {
    @Test(arguments: [#"a: "\ufeffb""#, #"a: ["\uFEFF"]"#, #"a: "\U0000feff""#, "a: '\u{FEFF}b'", "a: |-\n  \u{FEFF}b"])
    func textThatBeginsWithAMarkIsRefused(_ text: String) {
        let error = #expect(throws: FileFindings.self) { try FileText(text, file: "file") }
        #expect(error?.findings.map(\.message) == ["a text must not begin with U+FEFF, a byte order mark"])
    }

    @Test(arguments: ["\u{FEFF}{\"a\": \"b\"}", "{\"a\": \"b\"}"]) func markOfAFileIsIgnored(_ text: String) throws {
        let value = try FileText(text, file: "file").value
        #expect(value == .object(["a": .string("b")]))
    }

    @Test func markInATextIsPartOfIt() throws {
        let value = try FileText(#"{"a": "b\ufeff"}"#, file: "file").value
        #expect(value == .object(["a": .string("b\u{FEFF}")]))
    }
}
