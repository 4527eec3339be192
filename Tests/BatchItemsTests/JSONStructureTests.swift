import BatchItems
import JSONScanning
import Testing

/// RFC 8259, sections 2 to 5.
@Suite struct JSONStructureTests {
    static let ends = [
        InvalidJSONCase("‸", wants: "a value"),
        InvalidJSONCase(" \t\r\n‸", wants: "a value"),
        InvalidJSONCase("{‸", wants: "a name in quotation marks"),
        InvalidJSONCase(#"{"a‸"#, wants: "the end of a string"),
        InvalidJSONCase(#"{"a"‸"#, wants: "':'"),
        InvalidJSONCase(#"{"a":‸"#, wants: "a value"),
        InvalidJSONCase(#"{"a": ‸"#, wants: "a value"),
        InvalidJSONCase(#"{"a":1‸"#, wants: "',' or '}'"),
        InvalidJSONCase(#"{"a":1,‸"#, wants: "a name in quotation marks"),
        InvalidJSONCase(#"{"a":{‸"#, wants: "a name in quotation marks"),
        InvalidJSONCase(#"{"a":{}‸"#, wants: "',' or '}'"),
        InvalidJSONCase(#"{"a":[‸"#, wants: "a value"),
        InvalidJSONCase(#"{"a":[1‸"#, wants: "',' or ']'"),
        InvalidJSONCase(#"{"a":[1,‸"#, wants: "a value"),
        InvalidJSONCase(#"{"a":nul‸"#, wants: "'null'"),
        InvalidJSONCase("[‸", wants: "a value"),
    ]

    static let objects = [
        InvalidJSONCase(#"{"a":1‸,}"#, .trailingComma(before: "}")),
        InvalidJSONCase(#"{"a":{"b":1‸,}}"#, .trailingComma(before: "}")),
        InvalidJSONCase(#"{‸,"a":1}"#, wants: "a name in quotation marks"),
        InvalidJSONCase(#"{"a":1,‸,"b":1}"#, wants: "a name in quotation marks"),
        InvalidJSONCase(#"{‸a:1}"#, wants: "a name in quotation marks"),
        InvalidJSONCase(#"{‸'a':1}"#, wants: "a name in quotation marks"),
        InvalidJSONCase(#"{‸1:1}"#, wants: "a name in quotation marks"),
        InvalidJSONCase(#"{"a"‸=1}"#, wants: "':'"),
        InvalidJSONCase(#"{"a" ‸1}"#, wants: "':'"),
        InvalidJSONCase(#"{"a"‸}"#, wants: "':'"),
        InvalidJSONCase(#"{"a":‸:1}"#, wants: "a value"),
        InvalidJSONCase(#"{"a":‸}"#, wants: "a value"),
        InvalidJSONCase(#"{"a":1 ‸"b":2}"#, wants: "',' or '}'"),
        InvalidJSONCase(#"{"a":1‸;"b":2}"#, wants: "',' or '}'"),
        InvalidJSONCase(#"{"a":1‸]"#, wants: "',' or '}'"),
    ]

    static let arrays = [
        InvalidJSONCase(#"{"a":[1‸, ]}"#, .trailingComma(before: "]")),
        InvalidJSONCase(#"{"a":[‸,1]}"#, wants: "a value"),
        InvalidJSONCase(#"{"a":[1,‸,2]}"#, wants: "a value"),
        InvalidJSONCase(#"{"a":[1 ‸2]}"#, wants: "',' or ']'"),
        InvalidJSONCase(#"{"a":[1‸}"#, wants: "',' or ']'"),
        InvalidJSONCase(#"{"a":["b"‸:1]}"#, wants: "',' or ']'"),
        InvalidJSONCase("[1‸,]", .trailingComma(before: "]")),
    ]

    static let words = [
        InvalidJSONCase(#"{"a":tru‸}"#, wants: "'true'"),
        InvalidJSONCase(#"{"a":t‸RUE}"#, wants: "'true'"),
        InvalidJSONCase(#"{"a":fal‸}"#, wants: "'false'"),
        InvalidJSONCase(#"{"a":nu‸1l}"#, wants: "'null'"),
        InvalidJSONCase(#"{"token":nul‸}"#, wants: "'null'"),
        InvalidJSONCase(#"{"a":true‸x}"#, wants: "',' or '}'"),
        InvalidJSONCase(#"{"a":‸True}"#, wants: "a value"),
        InvalidJSONCase(#"{"a":‸undefined}"#, wants: "a value"),
        InvalidJSONCase(#"{"priority":‸None}"#, wants: "a value"),
    ]

    static let strangers = [
        InvalidJSONCase("‸\u{FEFF}{}", wants: "a value"),
        InvalidJSONCase("{}‸\u{FEFF}", wants: "the end of the item"),
        InvalidJSONCase("{‸\u{B}}", wants: "a name in quotation marks"),
        InvalidJSONCase("{‸\u{C}}", wants: "a name in quotation marks"),
        InvalidJSONCase("{‸\u{A0}}", wants: "a name in quotation marks"),
        InvalidJSONCase("{‸\u{2028}}", wants: "a name in quotation marks"),
        InvalidJSONCase("{‸\u{0}}", wants: "a name in quotation marks"),
        InvalidJSONCase("{‸/* */}", wants: "a name in quotation marks"),
        InvalidJSONCase("{‸// \n}", wants: "a name in quotation marks"),
        InvalidJSONCase("‸# {}", wants: "a value"),
    ]

    static let trailers = [
        InvalidJSONCase("{}‸{}", wants: "the end of the item"),
        InvalidJSONCase("{} ‸,", wants: "the end of the item"),
        InvalidJSONCase("{}‸}", wants: "the end of the item"),
        InvalidJSONCase("{}‸\u{0}", wants: "the end of the item"),
        InvalidJSONCase("[]‸]", wants: "the end of the item"),
        InvalidJSONCase("1 ‸2", wants: "the end of the item"),
        InvalidJSONCase(#""a"‸:1"#, wants: "the end of the item"),
        InvalidJSONCase(#"{"token":1}‸x"#, wants: "the end of the item"),
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
