import BatchItems
import JSONScanning
import Testing

@Suite struct BatchArrayTests {
    @Test(arguments: ["[]", "[ ]", " \n[\r\n\t]\n ", "\n\n[]"])
    func emptyArrayHasNoItems(text: String) throws {
        #expect(try entries(text).isEmpty)
    }

    @Test(arguments: [",", " , ", ",\n", "\n,\n", "\r\n\t,  "])
    func commasSeparateItems(separator: String) throws {
        let items = [item("a"), item("b"), item("c")].joined(separator: separator)
        for text in ["[\(items)]", " [ \(items) ] ", "\n[\n\(items)\n]\n"] {
            let entries = try entries(text)
            #expect(entries.map { $0.outcome(in: text) } == ["a", "b", "c"])
            #expect(entries.map(\.index) == [0, 1, 2])
        }
    }

    @Test func itemsMaySpanLines() throws {
        let pretty = { (token: String) in
            "  {\n    \"token\": \"\(token)\",\n    \"topic\": \"b\",\n    \"payload\": {\n    }\n  }"
        }
        let text = "[\n\(pretty("a")),\n\(pretty("b")),\n\n\(pretty("c"))\n]\n"
        let entries = try entries(text)
        #expect(entries.map { $0.outcome(in: text) } == ["a", "b", "c"])
        #expect(entries.map(\.line) == [2, 8, 15])
        let size = pretty("a").utf8.count
        #expect(entries.map(\.offset) == [4, 4 + size + 2, 4 + 2 * size + 5])
    }

    @Test func invalidItemDoesNotStopTheOthers() throws {
        let text = #"[\#(item("a")),{},1,{"token":1},[[]],"x",null,\#(item("b"))]"#
        let entries = try entries(text)
        let errors = entries.map { entry -> ScannedItemError.Problem? in
            guard case .failure(let error) = entry.result else { return nil }
            return error.problem
        }
        let wrongType = ScannedItemError.Problem.wrongType(.token, expected: "a string")
        let problems: [ScannedItemError.Problem?] = [
            nil, .missing(.token), .notAnObject, wrongType, .notAnObject, .notAnObject, .notAnObject, nil,
        ]
        #expect(errors == problems)
        #expect(entries.map(\.index) == Array(0...7))
    }

    @Test func invalidJSONStopsTheBatchAtItsPlace() throws {
        let marked = MarkedText("[\n\(item("a")),\n\(item("b")),\n  {\"token\":‸}, \(item("c"))]")
        var reader = BatchItemReader(marked.bytes)
        #expect(try reader.next()?.index == 0)
        #expect(try reader.next()?.index == 1)
        let error = #expect(throws: BatchItemReader.BodyError.self) { try reader.next() }
        #expect(error?.jsonError.problem == .unexpectedCharacter("}", expected: "a value"))
        #expect(error?.jsonError.offset == marked.offset)
        #expect(error?.line == 4)
        #expect(try reader.next() == nil)
    }

    @Test(arguments: [
        InvalidJSONCase("[‸", expecting: "a value"),
        InvalidJSONCase("[\n\n‸", expecting: "a value"),
        InvalidJSONCase("[{}‸", expecting: "',' or ']'"),
        InvalidJSONCase("[{},‸", expecting: "a value"),
        InvalidJSONCase("[{},‸]", expecting: "a value"),
        InvalidJSONCase("[‸,{}]", expecting: "a value"),
        InvalidJSONCase("[{},‸,{}]", expecting: "a value"),
        InvalidJSONCase("[{}\n‸{}]", expecting: "',' or ']'"),
        InvalidJSONCase("[{}\n\n‸}", expecting: "',' or ']'"),
        InvalidJSONCase("[{\n\"a\":\n1.‸}]", expecting: "a digit"),
        InvalidJSONCase("[1,2,tr‸]", expecting: "'true'"),
        InvalidJSONCase("[{},\n\"‸\n\"]", .controlCharacter(0x0A)),
        InvalidJSONCase("[]‸[]", expecting: "the end of the batch"),
        InvalidJSONCase("[]\n‸,", expecting: "the end of the batch"),
        InvalidJSONCase("[{}]\n\n‸{}", expecting: "the end of the batch"),
        InvalidJSONCase("[]‸\u{0}", expecting: "the end of the batch"),
    ])
    func arrayIsOneDocument(_ example: InvalidJSONCase) {
        let error = #expect(throws: BatchItemReader.BodyError.self) { try entries(example.text.bytes) }
        let line = example.text.bytes[..<example.text.offset].count { $0 == UInt8(ascii: "\n") } + 1
        #expect(error?.jsonError.problem == example.problem)
        #expect(error?.jsonError.offset == example.text.offset)
        #expect(error?.line == line)
    }

    @Test func arrayAroundTheItemsDoesNotCountAsALevel() throws {
        let deepest = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
        #expect(throws: Never.self) { try entries(#"[{"a":\#(deepest)}]"#) }
        #expect(throws: BatchItemReader.BodyError.self) { try entries(#"[{"a":[\#(deepest)]}]"#) }
    }
}
