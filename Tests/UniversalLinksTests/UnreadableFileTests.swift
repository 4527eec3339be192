import Testing
import UniversalLinks
import WaypostSchema

/// Files that cannot be parsed, and the place of the first error in each.
@Suite struct UnreadableFileTests {
    struct Case: CustomTestStringConvertible {
        var bytes: [UInt8]
        var message: String
        var testDescription: String { message }

        init(_ text: String, _ message: String) {
            (bytes, self.message) = (Array(text.utf8), message)
        }

        init(bytes: [UInt8], _ message: String) {
            (self.bytes, self.message) = (bytes, message)
        }
    }

    @Test(arguments: [
        Case("", "line 1, column 1: this is not JSON: the JSON ends where a value should be"),
        Case(" \n ", "line 2, column 2: this is not JSON: the JSON ends where a value should be"),
        Case("<!DOCTYPE html>", "line 1, column 1: this is not JSON: found '<' where a value should be"),
        Case(
            "{\n  \"applinks\": {,}\n}",
            "line 2, column 16: this is not JSON: found ',' where a name in quotation marks should be"
        ),
        Case(
            "{\"applinks\": {\r\n\"details\": [],\r\n}}",
            "line 2, column 14: this is not JSON: no comma may stand before '}'; remove it"
        ),
        Case("{\"a\": [1 , ]}", "line 1, column 10: this is not JSON: no comma may stand before ']'; remove it"),
        Case(
            "{\n \u{201C}applinks\u{201D}: {}}",
            """
            line 2, column 2: this is not JSON: found '\u{201C}' (U+201C) where a name in quotation marks should be; \
            JSON has only straight double quotation marks
            """
        ),
        Case("{\"a\": \"é\" 1}", "line 1, column 12: this is not JSON: found '1' where ',' or '}' should be"),
        Case(
            "{\"a\": 1} // end",
            "line 1, column 10: this is not JSON: found '/' where the end of the document should be"
        ),
        Case(
            "{'a': 1}",
            """
            line 1, column 2: this is not JSON: found ''' where a name in quotation marks should be; \
            JSON has only straight double quotation marks
            """
        ),
        Case("{\"a\": NaN}", "line 1, column 7: this is not JSON: found 'N' where a value should be"),
        Case("{\"a\": \"b\nc\"}", "line 1, column 9: this is not JSON: a line break must be escaped inside a string"),
        Case("{\"a\": \"b", "line 1, column 9: this is not JSON: the JSON ends where the end of a string should be"),
        Case("{} {}", "line 1, column 4: this is not JSON: found '{' where the end of the document should be"),
        Case(
            String(repeating: "[", count: 200),
            "line 1, column 129: this is not JSON: arrays and objects are nested deeper than 128"
        ),
        Case("\u{FEFF}{,}", "line 1, column 2: this is not JSON: found ',' where a name in quotation marks should be"),
        Case(
            bytes: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x7B, 0x7D],
            "line 1, column 1: this is not JSON: found U+FEFF where a value should be"
        ),
        Case(
            bytes: [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00],
            "line 1, column 1: this is not JSON: the bytes are not UTF-8"
        ),
        Case(bytes: [0x7B, 0x22, 0xC3, 0x22], "line 1, column 3: this is not JSON: the bytes are not UTF-8"),
        Case("[]", "line 1, column 1: this is an array, but must be an object"),
        Case("\n  \"applinks\"", "line 2, column 3: this is a string, but must be an object"),
        Case("null", "line 1, column 1: this is null, but must be an object"),
        Case("\u{FEFF}[]", "line 1, column 1: this is an array, but must be an object"),
    ])
    func fileThatIsNotAJSONObjectIsRefusedWithAPlace(_ example: Case) {
        let failure = #expect(throws: AssociationFailure.self) { try AssociationFile(example.bytes) }
        #expect(failure?.code == .notJSON)
        #expect(failure?.message == example.message)
    }

    @Test(
        arguments: [
            [0x30, 0x82, 0x0B, 0x5C], [0x30, 0x80, 0x06, 0x09], [0x30, 0x83, 0x01, 0x00, 0x00],
            Array("-----BEGIN PKCS7-----\nMIIL\n-----END PKCS7-----\n".utf8), Array("-----BEGIN CMS-----".utf8),
        ] as [[UInt8]]
    )
    func signedFileIsRefused(_ bytes: [UInt8]) {
        let failure = #expect(throws: AssociationFailure.self) { try AssociationFile(bytes) }
        #expect(failure?.code == .signed)
        #expect(
            failure?.message == """
                line 1, column 1: the file is signed, which only systems before iOS 10 required; a signed file is not \
                read; serve the JSON alone, over HTTPS
                """
        )
    }

    @Test(arguments: ["0", "01", "-", "-----"])
    func textThatBeginsLikeASignedFileIsNotSigned(_ text: String) {
        let failure = #expect(throws: AssociationFailure.self) { try AssociationFile(json: text) }
        #expect(failure?.code == .notJSON)
    }

    @Test func fileOfMaximumSizeIsParsed() throws {
        #expect(AssociationFile.maximumSize == 131_072)
        let text = Clowntown.json([#"{"/":"/tents"}"#])
        let padding = String(repeating: " ", count: AssociationFile.maximumSize - text.utf8.count)
        #expect(try AssociationMatcher(json: text + padding).outcome("/tents") == .match)
    }

    @Test func fileOneByteOverTheLimitIsTooLarge() {
        let text = Clowntown.json([#"{"/":"/tents"}"#])
        let padding = String(repeating: " ", count: AssociationFile.maximumSize - text.utf8.count + 1)
        let failure = #expect(throws: AssociationFailure.self) { try AssociationFile(json: text + padding) }
        #expect(failure?.code == .tooLarge)
        #expect(failure?.message == "the file has 131073 bytes; a device ignores files of more than 131072")
    }

    @Test func tooLargeFileIsNotParsed() {
        let bytes = [0x30, 0x82] + [UInt8](repeating: 0xFF, count: AssociationFile.maximumSize)
        let failure = #expect(throws: AssociationFailure.self) { try AssociationFile(bytes) }
        #expect(failure?.code == .tooLarge)
    }
}
