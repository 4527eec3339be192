import JSONScanning
import Testing
import WaypostSchema

/// The error of a document that is not JSON, or not of its claimed encoding, names the reason.
@Suite struct UnparsableDocumentTests {
    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(stringValue: String) {
            self.stringValue = stringValue
            intValue = nil
        }

        init(intValue: Int) {
            stringValue = "Index \(intValue)"
            self.intValue = intValue
        }
    }

    @Test(
        arguments: [
            ("", 0), (" ", 1), ("not JSON", 1), (#"{"name""#, 7), (#"{"name":"iPad"#, 13),
            (#"{"name":"iPad","apps":[]} x"#, 26), ("{name:5}", 1),
        ]
    )
    func errorNamesTheByteThatIsNotJSON(_ text: String, _ offset: Int) throws {
        let error = try #require(throws: JSONError.self) { _ = try DeviceDescription(json: text) }
        #expect(error.offset == offset)
    }

    @Test func sentenceContainsTheReasonOfTheContext() {
        #expect(Self.sentence() == "it is corrupt")
        #expect(Self.sentence(at: [Key(stringValue: "name")]) == "'name': it is corrupt")
    }

    private static func sentence(at path: [any CodingKey] = []) -> String {
        let context = DecodingError.Context(codingPath: path, debugDescription: "it is corrupt")
        return DecodingError.dataCorrupted(context).sentence
    }
}
