import BatchItems
import JSONScanning
import Testing

/// RFC 8259, sections 2 to 5.
@Suite struct JSONStructureTests {
    static let ends = [
        InvalidJSONCase("‸", expecting: "a value"),
        InvalidJSONCase(" \t\r\n‸", expecting: "a value"),
        InvalidJSONCase("{‸", expecting: "a name in quotation marks"),
        InvalidJSONCase(#"{"a‸"#, expecting: "the end of a string"),
        InvalidJSONCase(#"{"a"‸"#, expecting: "':'"),
        InvalidJSONCase(#"{"a":‸"#, expecting: "a value"),
        InvalidJSONCase(#"{"a": ‸"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":1‸"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":1,‸"#, expecting: "a name in quotation marks"),
        InvalidJSONCase(#"{"a":{‸"#, expecting: "a name in quotation marks"),
        InvalidJSONCase(#"{"a":{}‸"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":[‸"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":[1‸"#, expecting: "',' or ']'"),
        InvalidJSONCase(#"{"a":[1,‸"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":nul‸"#, expecting: "'null'"),
        InvalidJSONCase("[‸", expecting: "a value"),
    ]

    static let objects = [
        InvalidJSONCase(#"{"a":1‸,}"#, .trailingComma(before: "}")),
        InvalidJSONCase(#"{"a":{"b":1‸,}}"#, .trailingComma(before: "}")),
        InvalidJSONCase(#"{‸,"a":1}"#, expecting: "a name in quotation marks"),
        InvalidJSONCase(#"{"a":1,‸,"b":1}"#, expecting: "a name in quotation marks"),
        InvalidJSONCase(#"{‸a:1}"#, expecting: "a name in quotation marks"),
        InvalidJSONCase(#"{‸'a':1}"#, expecting: "a name in quotation marks"),
        InvalidJSONCase(#"{‸1:1}"#, expecting: "a name in quotation marks"),
        InvalidJSONCase(#"{"a"‸=1}"#, expecting: "':'"),
        InvalidJSONCase(#"{"a" ‸1}"#, expecting: "':'"),
        InvalidJSONCase(#"{"a"‸}"#, expecting: "':'"),
        InvalidJSONCase(#"{"a":‸:1}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":‸}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":1 ‸"b":2}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":1‸;"b":2}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":1‸]"#, expecting: "',' or '}'"),
    ]

    static let arrays = [
        InvalidJSONCase(#"{"a":[1‸, ]}"#, .trailingComma(before: "]")),
        InvalidJSONCase(#"{"a":[‸,1]}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":[1,‸,2]}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":[1 ‸2]}"#, expecting: "',' or ']'"),
        InvalidJSONCase(#"{"a":[1‸}"#, expecting: "',' or ']'"),
        InvalidJSONCase(#"{"a":["b"‸:1]}"#, expecting: "',' or ']'"),
        InvalidJSONCase("[1‸,]", .trailingComma(before: "]")),
    ]

    static let words = [
        InvalidJSONCase(#"{"a":tru‸}"#, expecting: "'true'"),
        InvalidJSONCase(#"{"a":t‸RUE}"#, expecting: "'true'"),
        InvalidJSONCase(#"{"a":fal‸}"#, expecting: "'false'"),
        InvalidJSONCase(#"{"a":nu‸1l}"#, expecting: "'null'"),
        InvalidJSONCase(#"{"token":nul‸}"#, expecting: "'null'"),
        InvalidJSONCase(#"{"a":true‸x}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":‸True}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":‸undefined}"#, expecting: "a value"),
        InvalidJSONCase(#"{"priority":‸None}"#, expecting: "a value"),
    ]

    static let strangers = [
        InvalidJSONCase("‸\u{FEFF}{}", expecting: "a value"),
        InvalidJSONCase("{}‸\u{FEFF}", expecting: "the end of the item"),
        InvalidJSONCase("{‸\u{B}}", expecting: "a name in quotation marks"),
        InvalidJSONCase("{‸\u{C}}", expecting: "a name in quotation marks"),
        InvalidJSONCase("{‸\u{A0}}", expecting: "a name in quotation marks"),
        InvalidJSONCase("{‸\u{2028}}", expecting: "a name in quotation marks"),
        InvalidJSONCase("{‸\u{0}}", expecting: "a name in quotation marks"),
        InvalidJSONCase("{‸/* */}", expecting: "a name in quotation marks"),
        InvalidJSONCase("{‸// \n}", expecting: "a name in quotation marks"),
        InvalidJSONCase("‸# {}", expecting: "a value"),
    ]

    static let trailers = [
        InvalidJSONCase("{}‸{}", expecting: "the end of the item"),
        InvalidJSONCase("{} ‸,", expecting: "the end of the item"),
        InvalidJSONCase("{}‸}", expecting: "the end of the item"),
        InvalidJSONCase("{}‸\u{0}", expecting: "the end of the item"),
        InvalidJSONCase("[]‸]", expecting: "the end of the item"),
        InvalidJSONCase("1 ‸2", expecting: "the end of the item"),
        InvalidJSONCase(#""a"‸:1"#, expecting: "the end of the item"),
        InvalidJSONCase(#"{"token":1}‸x"#, expecting: "the end of the item"),
    ]

    @Test(arguments: ends)
    func textMayNotEndEarly(_ example: InvalidJSONCase) {
        example.expectError()
    }

    @Test(arguments: objects)
    func membersAreNamesColonsAndValues(_ example: InvalidJSONCase) {
        example.expectError()
    }

    @Test(arguments: arrays)
    func elementsAreValuesAndCommas(_ example: InvalidJSONCase) {
        example.expectError()
    }

    @Test(arguments: words)
    func literalsAreCompleteAndLowercase(_ example: InvalidJSONCase) {
        example.expectError()
    }

    @Test(arguments: strangers)
    func onlyFourBytesAreWhiteSpace(_ example: InvalidJSONCase) {
        example.expectError()
    }

    @Test(arguments: trailers)
    func itemIsOneValue(_ example: InvalidJSONCase) {
        example.expectError()
    }

    @Test(arguments: [
        "true", "false", "null", "{}", "[]", "{ }", "[ ]", "[\t1 ,\r\n2 ]", #"{ "a" : { "b" : [ [ ] , { } ] } }"#,
        #"{"a":1,"a":2}"#, #"{"":0}"#, #"" ""#,
    ])
    func validValueIsSkipped(value: String) {
        #expect(scanError(item(withUnknown: value)) == nil)
    }
}
