import BatchItems
import JSONScanning
import Testing

@Suite struct ScannedItemErrorTests {
    /// A text that is JSON but not an item, with a caret at the error, and the error.
    struct Case: CustomTestStringConvertible {
        var text: String
        var problem: ScannedItemError.Problem

        var testDescription: String { text }

        init(_ text: String, _ problem: ScannedItemError.Problem) {
            self.text = text
            self.problem = problem
        }
    }

    static let otherValues = ["1", #""{}""#, "[1]", "[{}]", "[]", "null", "true", "-0.5"]

    static let missing = [
        Case("‸{}", .missing(.token)),
        Case(" \t‸{ } ", .missing(.token)),
        Case(#"‸{"topic":"b","payload":{}}"#, .missing(.token)),
        Case(#"‸{"token":"a","payload":{}}"#, .missing(.topic)),
        Case(#"‸{"token":"a","topic":"b"}"#, .missing(.payload)),
        Case(#"‸{"token":null,"topic":"b","payload":{}}"#, .missing(.token)),
        Case(#"‸{"token":"a","topic":null,"payload":{}}"#, .missing(.topic)),
        Case(#"‸{"token":"a","topic":"b","payload":null}"#, .missing(.payload)),
        Case(#"‸{"Token":"a","topic":"b","payload":{}}"#, .missing(.token)),
        Case(#"‸{"payload":{"token":"a","topic":"b"}}"#, .missing(.token)),
    ]

    static let firstOfSeveral = [
        Case(#"{"token":‸1,"topic":2}"#, .wrongType(.token, expected: "a string")),
        Case(#"{"topic":‸2,"token":1}"#, .wrongType(.topic, expected: "a string")),
        Case(#"{"id":"a",‸"id":1,"token":2}"#, .repeated(.id)),
        Case(#"{"id":‸1,"id":"a"}"#, .wrongType(.id, expected: "a string")),
        Case(#"{"payload":‸[{"a":0}],"payload":{}}"#, .wrongType(.payload, expected: "an object")),
    ]

    static let repeats = [
        Case(#"{"token":"a", ‸"token":"a"}"#, .repeated(.token)),
        Case(#"{"token":"a",‸"tok\u0065n":"b"}"#, .repeated(.token)),
        Case(#"{"\u0074oken":"a",‸"token":"b"}"#, .repeated(.token)),
        Case(#"{"token":null,‸"token":"a"}"#, .repeated(.token)),
        Case(#"{"token":"a",‸"token":null}"#, .repeated(.token)),
        Case(#"{"priority":1,"x":0,‸"priority":1}"#, .repeated(.priority)),
    ]

    @Test(arguments: otherValues)
    func itemIsAnObject(value: String) {
        expect(Case(" ‸\(value) ", .notAnObject))
    }

    @Test(arguments: missing)
    func requiredFieldMustExist(_ example: Case) {
        expect(example)
    }

    @Test(arguments: repeats)
    func fieldMayNotBeRepeated(_ example: Case) {
        expect(example)
    }

    @Test(arguments: ScannedItem.Field.allCases)
    func anyRepeatedFieldIsRefused(field: ScannedItem.Field) {
        expect(Case(#"{"\#(field.rawValue)":null,‸"\#(field.rawValue)":null}"#, .repeated(field)))
    }

    @Test(arguments: [ScannedItem.Field.token, .topic, .pushType, .collapseID, .id])
    func textFieldIsAString(field: ScannedItem.Field) {
        for value in ["1", "1.5", "true", "false", "{}", #"["a"]"#] {
            expect(Case(#"{"\#(field.rawValue)": ‸\#(value)}"#, .wrongType(field, expected: "a string")))
        }
    }

    @Test(
        arguments: [ScannedItem.Field.priority, .expiration],
        [
            #""1""#, "1.5", "1.0", "1e2", "1E0", "-0.0", "true", "false", "{}", "[1]", "9223372036854775808",
            "-9223372036854775809", "100000000000000000000000000000",
        ]
    )
    func numberFieldIsAWholeNumber(field: ScannedItem.Field, value: String) {
        expect(Case(#"{"\#(field.rawValue)": ‸\#(value)}"#, .wrongType(field, expected: "a whole number")))
    }

    @Test(arguments: ["1", #""{}""#, "true", "[]", "[{}]"])
    func payloadIsAnObject(value: String) {
        expect(Case(#"{"payload": ‸\#(value)}"#, .wrongType(.payload, expected: "an object")))
    }

    @Test(arguments: firstOfSeveral)
    func firstProblemIsReported(_ example: Case) {
        expect(example)
    }

    @Test func jsonErrorComesFirst() {
        InvalidJSONCase(#"{"token":1,"token":2,"x":‸}"#, expecting: "a value").expectError()
        InvalidJSONCase("1 ‸{", expecting: "the end of the item").expectError()
    }

    @Test func errorHasItsField() {
        let field = { (text: String) in scanError(Array(text.utf8))?.field }
        #expect(field("{}") == .token)
        #expect(field(#"{"id":1}"#) == .id)
        #expect(field(#"{"topic":"","topic":""}"#) == .topic)
        #expect(field("1") == nil)
        #expect(field("") == nil)
    }

    @Test(arguments: [
        ("{}", "'token' is required"),
        (#"{"id":"","id":""}"#, "'id' appears twice"),
        (#"{"priority":"10"}"#, "'priority' must be a whole number"),
        (#"{"a":1;}"#, "not JSON: found ';' where ',' or '}' should be"),
        ("{\"a\":1\u{1}}", "not JSON: found U+0001 where ',' or '}' should be"),
        ("{\"a\":\"\n\"}", "not JSON: a line break must be escaped inside a string"),
        ("{", "not JSON: the JSON ends where a name in quotation marks should be"),
    ])
    func descriptionIsAHumanReadableClause(text: String, description: String) {
        #expect(scanError(Array(text.utf8))?.description == description)
    }

    private func expect(_ example: Case, sourceLocation: SourceLocation = #_sourceLocation) {
        let marked = MarkedText(example.text)
        let error = scanError(marked.bytes)
        #expect(error?.problem == example.problem, "\(example.text)", sourceLocation: sourceLocation)
        #expect(error?.offset == marked.offset, "\(example.text)", sourceLocation: sourceLocation)
    }
}
