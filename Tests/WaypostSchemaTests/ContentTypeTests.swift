import Testing
import WaypostSchema

/// The types of fields of Live Activities, as texts and as objects.
@Suite struct ContentTypeTests {
    @Test(arguments: SwiftType.Name.allCases)
    func nameIsAType(_ name: SwiftType.Name) throws {
        #expect(try ContentType(json: "\"\(name.rawValue)\"") == .named(.name(name)))
    }

    @Test(
        arguments: [
            ("Int?", .optional(.name(.int))), ("[Int]", .array(.name(.int))),
            ("[Int?]?", .optional(.array(.optional(.name(.int))))),
            ("[String: [Date]]", .dictionary(.array(.name(.date)))),
            ("[[String: Any]]", .array(.dictionary(.name(.anything)))),
        ] as [(String, SwiftType)]
    )
    func textIsReadAndWrittenAsInSwift(_ text: String, _ type: SwiftType) throws {
        #expect(try ContentType(json: "\"\(text)\"") == .named(type))
        #expect(try ContentType.named(type).json() == "\"\(text)\"")
    }

    @Test func spaceAfterAColonIsOptional() throws {
        #expect(SwiftType("[String:Int]") == .dictionary(.name(.int)))
    }

    @Test(
        arguments: [
            ("Integer", "use String, Int, Double, Bool, Date, URL, UUID, Data, Any, a list such as [Int] or a"),
            ("string", "did you mean 'String'?"), ("[Doubel]?", "did you mean 'Double'?"),
            ("Int??", "use String, Int,"), ("[Int", "use String, Int,"), ("[Int: Int]", "use String, Int,"),
            ("", "use String, Int,"), ("[[[[[[[[Int]]]]]]]]", "use String, Int,"),
        ]
    )
    func otherTextIsRefusedAtItsPlace(_ text: String, _ hint: String) throws {
        let error = #expect(throws: DecodingError.self) {
            try LiveActivityType(json: #"{"contentState":{"score":{"fields":{"home":"\#(text)"}}}}"#)
        }
        let start = "'contentState.score.fields.home': '\(text)' is not a type of a field; \(hint)"
        #expect(error?.sentence.hasPrefix(start) == true, "\(error?.sentence ?? "")")
    }

    @Test(
        arguments: [
            ("5", "'contentState.goals' must be an object"), ("null", "'contentState.goals' must not be null"),
            ("{}", #"'contentState.goals': exactly one of "fields", "cases" and "elements" is required"#),
            (
                #"{"cases":[],"elements":"Int"}"#,
                #"'contentState.goals': exactly one of "fields", "cases" and "elements" is required"#
            ),
        ]
    )
    func otherValueIsRefused(_ value: String, _ sentence: String) throws {
        let error = #expect(throws: DecodingError.self) {
            try LiveActivityType(json: #"{"contentState":{"goals":\#(value)}}"#)
        }
        #expect(error?.sentence == sentence)
    }

    @Test(
        arguments: [
            (#""Int""#, false), (#""Int?""#, true), (#""[Int?]""#, false), (#"{"cases":[]}"#, false),
            (#"{"fields":{},"isOptional":true}"#, true),
        ]
    )
    func fieldMayBeOptional(_ type: String, _ isOptional: Bool) throws {
        #expect(try ContentType(json: type).isOptional == isOptional)
    }
}
