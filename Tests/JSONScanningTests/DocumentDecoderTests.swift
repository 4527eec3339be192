import Foundation
import JSONScanning
import Testing

/// Values from JSON, as Foundation's decoder would decode them.
@Suite struct DocumentDecoderTests {
    private struct Clown: Codable, Equatable {
        var name: String
        var age: Int?
        var weight: Double?
        var shoes: [UInt8]?
        var isNear: Bool?
        var friends: [String: Clown]?
    }

    @Test(arguments: [
        #"{"name":"Crusty"}"#, #"{"name":"Crusty","age":null}"#, #"{"name":"Crusty","age":7.0,"weight":1e2}"#,
        #"{"name":"Cr\u00fcsty","shoes":[1,255],"isNear":true}"#,
        #"{"name":"a","name":"b","friends":{"b":{"name":"c"},"d":{"name":"e","friends":{}}}}"#,
        #"{"name":"a","unknown":[[{}]]}"#,
    ])
    func valueIsThatOfFoundation(_ text: String) throws {
        let value = try DocumentDecoder.decode(Clown.self, from: text.utf8)
        #expect(value == (try JSONDecoder().decode(Clown.self, from: Data(text.utf8))))
    }

    @Test(
        arguments: [
            (#"{}"#, []), (#"{"name":null}"#, ["name"]), (#"{"name":1}"#, ["name"]), (#"[]"#, []), ("null", []),
            (#"{"name":"a","age":"1"}"#, ["age"]), (#"{"name":"a","shoes":[1,"2"]}"#, ["shoes", "1"]),
            (#"{"name":"a","friends":{"b":{}}}"#, ["friends", "b"]), (#"{"name":"a","age":1.5}"#, ["age"]),
            (#"{"name":"a","shoes":[256]}"#, ["shoes", "0"]), (#"{"name":"a","isNear":1}"#, ["isNear"]),
            (#"{"name":"a","shoes":{}}"#, ["shoes"]), (#"{"name":"a","age":-9223372036854775809}"#, ["age"]),
            (#"{"name":"a","age":9223372036854775807.0}"#, ["age"]), (#"{"name":"a","age":1e19}"#, ["age"]),
        ] as [(String, [String])]
    )
    func errorNamesThePlace(_ text: String, _ path: [String]) throws {
        let error = #expect(throws: DecodingError.self) { try DocumentDecoder.decode(Clown.self, from: text.utf8) }
        let context: DecodingError.Context? =
            switch error {
            case .keyNotFound(_, let context), .valueNotFound(_, let context), .typeMismatch(_, let context): context
            default: nil
            }
        #expect(context?.codingPath.map(\.stringValue) == path)
    }

    @Test func bytesAfterTheValueAreRefused() {
        #expect(throws: JSONError.self) { try DocumentDecoder.decode(Int.self, from: "1 2".utf8) }
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    @Test func textIsNestedAtMost128Deep() throws {
        _ = try DocumentDecoder.decode(Anything.self, from: nested(128).utf8)
        #expect(throws: JSONError(problem: .tooDeep(limit: 128), offset: 128)) {
            try DocumentDecoder.decode(Anything.self, from: nested(129).utf8)
        }
    }

    @Test func envelopeMayBeNestedDeeper() throws {
        _ = try DocumentDecoder.decode(Anything.self, fromDeepJSON: nested(144).utf8)
        #expect(throws: JSONError.self) { try DocumentDecoder.decode(Anything.self, fromDeepJSON: nested(145).utf8) }
    }
}
