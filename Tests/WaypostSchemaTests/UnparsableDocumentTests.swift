import Foundation
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

    @Test(arguments: ["", " ", "not JSON", #"{"name""#, #"{"name":"iPad"#, #"{"name":"iPad","apps":[]} x"#, "{name:5}"])
    func sentenceSaysThatItIsNotJSON(_ text: String) throws {
        let sentence = try UnreadableDocument(DeviceDescription.self, text, "").observedSentence()
        #expect(sentence.contains("JSON"))
        for internals in ["DecodingError", "Context", "NSCocoa", "NSDebugDescription", "Optional("] {
            #expect(!sentence.contains(internals))
        }
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
