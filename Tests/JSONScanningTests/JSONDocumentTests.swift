import JSONScanning
import Testing

/// A JSON text as a tree that knows the place of each value.
@Suite struct JSONDocumentTests {
    private static let text = """
        {
          "town": "Clown\\u0020Town",
          "clowns": [1, -2.50e1, true, false, null, []],
          "town": {}
        }
        """

    private func document(_ text: String) throws(JSONError) -> JSONDocument {
        try JSONDocument(Array(text.utf8))
    }

    @Test func membersKeepTheirOrderAndTheirRepetitions() throws {
        guard case .object(let members) = try document(Self.text).root.value else {
            Issue.record("the root is not an object")
            return
        }
        #expect(members.map(\.name) == ["town", "clowns", "town"])
        #expect(members.map(\.offset) == [4, 33, 82])
    }

    @Test func everyKindOfValueIsRead() throws {
        #expect(
            try Self.spelled(document(Self.text).root)
                == "{town:'Clown Town',clowns:[1,-2.50e1,true,false,null,[]],town:{}}"
        )
    }

    @Test func placeIsALineAndAByteInIt() throws {
        let document = try document(Self.text)
        let places = [0, 4, 33, 82, Self.text.utf8.count].map { offset in document.location(of: offset) }
        #expect(places.map(\.line) == [1, 2, 3, 4, 5])
        #expect(places.map(\.column) == [1, 3, 3, 3, 2])
    }

    @Test(arguments: ["", " ", "{", "[1,]", #"{"a":1,}"#, "{} {}", "[1 2]", #"{"a" 1}"#, "nul", "\u{FEFF}{}"])
    func invalidJSONIsRefusedAtThePlaceOfTheScanner(_ text: String) throws {
        let error = try #require(JSONError.first(in: Array(text.utf8)))
        #expect(throws: error) { try document(text) }
    }

    @Test(arguments: ["[", #"{"a":"#])
    func extremeNestingIsRefusedAtTheLimit(_ open: String) {
        let text = String(repeating: open, count: 100_000)
        let error = JSONError(problem: .tooDeep(limit: JSONCursor.maximumDepth), offset: 128 * open.utf8.count)
        #expect(throws: error) { try document(text) }
    }

    private static func spelled(_ node: JSONNode) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let spelling): spelling
        case .string(let text): "'\(text)'"
        case .array(let elements): "[" + elements.map(spelled).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\($0.name):\(spelled($0.value))" }.joined(separator: ",") + "}"
        }
    }
}

/// Text encoded as a JSON string.
@Suite struct QuotedJSONTests {
    @Test(arguments: ["", "plain/slash", "\"\\\n\r\t\u{0}\u{1F}\u{7F}", "größer 花 🤡", "e\u{301}"])
    func quotedTextIsParsedBack(_ text: String) throws {
        for quoted in [text.quotedJSON, text.printableJSON] {
            guard case .string(let read) = try JSONDocument(Array(quoted.utf8)).root.value else {
                Issue.record("the root is not a string")
                return
            }
            #expect(Array(read.utf8) == Array(text.utf8))
        }
    }

    @Test func printableJSONEscapesTerminalControlCharacters() {
        #expect("\u{7F}\u{9B}ü".printableJSON == #""\u007f\u009bü""#)
        #expect("\u{7F}\u{9B}ü".quotedJSON == "\"\u{7F}\u{9B}ü\"")
    }
}
