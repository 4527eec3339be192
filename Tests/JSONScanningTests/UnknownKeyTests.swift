import JSONScanning
import Testing

/// The keys of a document that its type does not read.
@Suite struct UnknownKeyTests {
    private struct Clown: Decodable {
        var name: String
        var age: Int?
        var friends: [Clown]?
        var shoes: [String: Int]?
    }

    @Test(
        arguments: [
            (#"{"name":"a"}"#, []), (#"{"name":"a","age":null}"#, []), (#"{"name":"a","aeg":1}"#, ["aeg"]),
            (#"{"name":"a","friends":[{"name":"b"},{"name":"c","x":{"y":1}}]}"#, ["friends[1].x"]),
            (#"{"name":"a","shoes":{"left":1,"right":2}}"#, []), (#"{"x":1,"name":"a","X":2}"#, ["x", "X"]),
        ] as [(String, [String])]
    )
    func keysThatNothingReadsAreFound(_ text: String, _ paths: [String]) throws {
        let document = try JSONDocument(Array(text.utf8))
        let (result, keys) = DocumentDecoder.decodeFindingUnknownKeys(Clown.self, from: document.root)
        _ = try result.get()
        #expect(keys.map { $0.place.isEmpty ? $0.name : "\($0.place).\($0.name)" } == paths)
        #expect(keys.allSatisfy { $0.knownNames == ["age", "friends", "name", "shoes"] })
    }

    @Test func keysBeforeAnErrorAreFound() throws {
        let document = try JSONDocument(Array(#"{"nmae":"a"}"#.utf8))
        let (result, keys) = DocumentDecoder.decodeFindingUnknownKeys(Clown.self, from: document.root)
        #expect(throws: DecodingError.self) { try result.get() }
        #expect(keys == [UnknownKey(name: "nmae", at: "", knownNames: ["name"])])
    }
}
