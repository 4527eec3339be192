import SchemaFiles
import Testing
import WaypostSchema

/// U+FEFF in files: a byte order mark at the start of the file, and otherwise a character.
@Suite struct ByteOrderMarkTests {
    private static let mark = "\u{FEFF}"

    @Test(arguments: [
        (#"{"a": "\ufeffb"}"#, "\(mark)b"), (#"{"a": "\uFEFF\ufeff"}"#, "\(mark)\(mark)"),
        ("{\"a\": \"\(mark)b\"}", "\(mark)b"), ("\(mark){\"a\": \"\(mark)\"}", "\(mark)"),
        ("a: \(mark)b", "\(mark)b"), ("a: '\(mark)b'", "\(mark)b"), ("a: |-\n  \(mark)b", "\(mark)b"),
        (#"{"a": "\ufefffeff"}"#, "\(mark)feff"), (#"{"a": "\ufeff\ufdda\x66ddb"}"#, "\(mark)\(substitute)fddb"),
        (#"{"a": "\\ufeff"}"#, #"\ufeff"#), (#"a: \uFeFf"#, #"\uFeFf"#), (#"a: '\\ufeff'"#, #"\\ufeff"#),
    ])
    func markIsPartOfAText(_ text: String, expected: String) throws {
        let value = try FileText(text, file: "file").value
        #expect(value == .object(["a": .string(expected)]), "\(String(describing: value))")
    }

    /// The first character that replaces the mark, if a text does not have it.
    private static let substitute = String(decoding: [0xEF, 0xB7, 0x9A] as [UInt8], as: UTF8.self)

    @Test func keysThatDifferInTheMarkAreTwo() throws {
        let value = try FileText(#"{"\ufeffa": 1, "a": 2, "feff": 3}"#, file: "file").value
        #expect(value == .object(["\(Self.mark)a": .integer(1), "a": .integer(2), "feff": .integer(3)]))
    }

    @Test func repeatedKeyIsNamedWithItsMark() {
        let error = #expect(throws: FileFindings.self) {
            try FileText(#"{"\ufeffa": 1, "\ufeffa": 2}"#, file: "file")
        }
        #expect(error?.findings.map(\.message) == ["the key '\(Self.mark)a' is repeated"])
    }
}
