import BatchItems
import JSONScanning
import Testing

/// RFC 8259, sections 2 to 5.
@Suite struct JSONStructureTests {
    static let ends = [
        FaultCase("‸", wants: "a value"),
        FaultCase(" \t\r\n‸", wants: "a value"),
        FaultCase("{‸", wants: "a name in quotation marks"),
        FaultCase(#"{"a‸"#, wants: "the end of a string"),
        FaultCase(#"{"a"‸"#, wants: "':'"),
        FaultCase(#"{"a":‸"#, wants: "a value"),
        FaultCase(#"{"a": ‸"#, wants: "a value"),
        FaultCase(#"{"a":1‸"#, wants: "',' or '}'"),
        FaultCase(#"{"a":1,‸"#, wants: "a name in quotation marks"),
        FaultCase(#"{"a":{‸"#, wants: "a name in quotation marks"),
        FaultCase(#"{"a":{}‸"#, wants: "',' or '}'"),
        FaultCase(#"{"a":[‸"#, wants: "a value"),
        FaultCase(#"{"a":[1‸"#, wants: "',' or ']'"),
        FaultCase(#"{"a":[1,‸"#, wants: "a value"),
        FaultCase(#"{"a":nul‸"#, wants: "'null'"),
        FaultCase("[‸", wants: "a value"),
    ]

    static let objects = [
        FaultCase(#"{"a":1,‸}"#, wants: "a name in quotation marks"),
        FaultCase(#"{"a":{"b":1,‸}}"#, wants: "a name in quotation marks"),
        FaultCase(#"{‸,"a":1}"#, wants: "a name in quotation marks"),
        FaultCase(#"{"a":1,‸,"b":1}"#, wants: "a name in quotation marks"),
        FaultCase(#"{‸a:1}"#, wants: "a name in quotation marks"),
        FaultCase(#"{‸'a':1}"#, wants: "a name in quotation marks"),
        FaultCase(#"{‸1:1}"#, wants: "a name in quotation marks"),
        FaultCase(#"{"a"‸=1}"#, wants: "':'"),
        FaultCase(#"{"a" ‸1}"#, wants: "':'"),
        FaultCase(#"{"a"‸}"#, wants: "':'"),
        FaultCase(#"{"a":‸:1}"#, wants: "a value"),
        FaultCase(#"{"a":‸}"#, wants: "a value"),
        FaultCase(#"{"a":1 ‸"b":2}"#, wants: "',' or '}'"),
        FaultCase(#"{"a":1‸;"b":2}"#, wants: "',' or '}'"),
        FaultCase(#"{"a":1‸]"#, wants: "',' or '}'"),
    ]

    static let arrays = [
        FaultCase(#"{"a":[1,‸]}"#, wants: "a value"),
        FaultCase(#"{"a":[‸,1]}"#, wants: "a value"),
        FaultCase(#"{"a":[1,‸,2]}"#, wants: "a value"),
        FaultCase(#"{"a":[1 ‸2]}"#, wants: "',' or ']'"),
        FaultCase(#"{"a":[1‸}"#, wants: "',' or ']'"),
        FaultCase(#"{"a":["b"‸:1]}"#, wants: "',' or ']'"),
        FaultCase("[1,‸]", wants: "a value"),
    ]

    static let words = [
        FaultCase(#"{"a":tru‸}"#, wants: "'true'"),
        FaultCase(#"{"a":t‸RUE}"#, wants: "'true'"),
        FaultCase(#"{"a":fal‸}"#, wants: "'false'"),
        FaultCase(#"{"a":nu‸1l}"#, wants: "'null'"),
        FaultCase(#"{"token":nul‸}"#, wants: "'null'"),
        FaultCase(#"{"a":true‸x}"#, wants: "',' or '}'"),
        FaultCase(#"{"a":‸True}"#, wants: "a value"),
        FaultCase(#"{"a":‸undefined}"#, wants: "a value"),
        FaultCase(#"{"priority":‸None}"#, wants: "a value"),
    ]

    static let strangers = [
        FaultCase("‸\u{FEFF}{}", wants: "a value"),
        FaultCase("{}‸\u{FEFF}", wants: "the end of the item"),
        FaultCase("{‸\u{B}}", wants: "a name in quotation marks"),
        FaultCase("{‸\u{C}}", wants: "a name in quotation marks"),
        FaultCase("{‸\u{A0}}", wants: "a name in quotation marks"),
        FaultCase("{‸\u{2028}}", wants: "a name in quotation marks"),
        FaultCase("{‸\u{0}}", wants: "a name in quotation marks"),
        FaultCase("{‸/* */}", wants: "a name in quotation marks"),
        FaultCase("{‸// \n}", wants: "a name in quotation marks"),
        FaultCase("‸# {}", wants: "a value"),
    ]

    static let trailers = [
        FaultCase("{}‸{}", wants: "the end of the item"),
        FaultCase("{} ‸,", wants: "the end of the item"),
        FaultCase("{}‸}", wants: "the end of the item"),
        FaultCase("{}‸\u{0}", wants: "the end of the item"),
        FaultCase("[]‸]", wants: "the end of the item"),
        FaultCase("1 ‸2", wants: "the end of the item"),
        FaultCase(#""a"‸:1"#, wants: "the end of the item"),
        FaultCase(#"{"token":1}‸x"#, wants: "the end of the item"),
    ]

    @Test(arguments: ends)
    func textMayNotEndEarly(_ example: FaultCase) {
        example.expectFault()
    }

    @Test(arguments: objects)
    func membersAreNamesColonsAndValues(_ example: FaultCase) {
        example.expectFault()
    }

    @Test(arguments: arrays)
    func elementsAreValuesAndCommas(_ example: FaultCase) {
        example.expectFault()
    }

    @Test(arguments: words)
    func wordsAreWholeAndLowercase(_ example: FaultCase) {
        example.expectFault()
    }

    @Test(arguments: strangers)
    func onlyFourBytesAreWhiteSpace(_ example: FaultCase) {
        example.expectFault()
    }

    @Test(arguments: trailers)
    func anItemIsOneValue(_ example: FaultCase) {
        example.expectFault()
    }

    @Test(arguments: [
        "true", "false", "null", "{}", "[]", "{ }", "[ ]", "[\t1 ,\r\n2 ]", #"{ "a" : { "b" : [ [ ] , { } ] } }"#,
        #"{"a":1,"a":2}"#, #"{"":0}"#, #"" ""#,
    ])
    func whatTheGrammarAllowsIsPassedOver(value: String) {
        #expect(scanError(item(withUnknown: value)) == nil)
    }
}
