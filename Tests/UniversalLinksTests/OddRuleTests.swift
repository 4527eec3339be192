import Testing
import UniversalLinks
import WaypostSchema

/// An invalid or unusual rule affects only itself, and its finding has its place.
@Suite struct OddRuleTests {
    @Test(arguments: [
        FindingCase(component: "7", [.init(.error, .wrongType, "", column: 1)]),
        FindingCase(component: "null", [.init(.error, .wrongType, "", column: 1)]),
        FindingCase(component: #""/tents""#, [.init(.error, .wrongType, "", column: 1)]),
        FindingCase(component: #"["/tents"]"#, [.init(.error, .wrongType, "", column: 1)]),
        FindingCase(component: #"{"/":7}"#, [.init(.error, .wrongType, #"["/"]"#, column: 6)]),
        FindingCase(component: #"{"/":["/a","/b"]}"#, [.init(.error, .wrongType, #"["/"]"#, column: 6)]),
        FindingCase(component: ##"{"#": null}"##, [.init(.error, .wrongType, ##"["#"]"##, column: 7)]),
        FindingCase(component: #"{"?":["a=1"]}"#, [.init(.error, .wrongType, #"["?"]"#, column: 6)]),
        FindingCase(component: #"{"?":true}"#, [.init(.error, .wrongType, #"["?"]"#, column: 6)]),
        FindingCase(component: #"{"exclude":"true"}"#, [.init(.error, .wrongType, ".exclude", column: 12)]),
        FindingCase(component: #"{"exclude":1}"#, [.init(.error, .wrongType, ".exclude", column: 12)]),
        FindingCase(component: #"{"caseSensitive":"no"}"#, [.init(.error, .wrongType, ".caseSensitive", column: 18)]),
        FindingCase(component: #"{"percentEncoded":{}}"#, [.init(.error, .wrongType, ".percentEncoded", column: 19)]),
        FindingCase(
            component: ##"{"/":1,"#":2,"exclude":3}"##,
            [
                .init(.error, .wrongType, #"["/"]"#, column: 6), .init(.error, .wrongType, ##"["#"]"##, column: 12),
                .init(.error, .wrongType, ".exclude", column: 24),
            ]
        ),
    ])
    func unusableRuleIsLeftOut(_ example: FindingCase) throws {
        try example.check()
    }

    @Test(arguments: [
        FindingCase(
            component: #"{"/":"/x","comment":7}"#,
            [.init(.note, .wrongType, ".comment", column: 21)],
            rules: [#"{"/":"/x"}"#]
        ),
        FindingCase(
            component: #"{"/":"/x","?":{"a":"1","b":true,"c":null}}"#,
            [
                .init(.error, .nonStringQueryItem, #"["?"].b"#, column: 28),
                .init(.error, .nonStringQueryItem, #"["?"].c"#, column: 37),
            ],
            rules: [#"{"/":"/x"}"#]
        ),
        FindingCase(
            component: #"{"/":"/x","exclud":true}"#,
            [.init(.warning, .unknownKey, ".exclud", column: 11)],
            rules: [#"{"/":"/x"}"#]
        ),
        FindingCase(
            component: #"{"/":"/x","/":"/y"}"#,
            [.init(.warning, .duplicateKey, #"["/"]"#, column: 15)],
            rules: [#"{"/":"/y"}"#]
        ),
        FindingCase(
            component: #"{"?":{"a":"1","a":"2","a":"3"}}"#,
            [
                .init(.warning, .duplicateKey, #"["?"].a"#, column: 19),
                .init(.warning, .duplicateKey, #"["?"].a"#, column: 27),
            ],
            rules: [#"{"?":{"a":"3"}}"#]
        ),
    ])
    func usableRuleIsKept(_ example: FindingCase) throws {
        try example.check()
    }

    @Test func nonStringPathIsLeftOut() throws {
        let json = #"{"applinks":{"apps":[],"details":[{"appID":"A.b","paths":["/a",7,{"/":"/b"},"/c"]}]}}"#
        try FindingCase(
            json,
            [
                .init(.error, .wrongType, "applinks.details[0].paths[1]", column: 64),
                .init(.error, .wrongType, "applinks.details[0].paths[2]", column: 66),
            ],
            rules: [#""/a""#, #""/c""#]
        ).check()
    }

    @Test(arguments: [
        ("{\"/\":7}", "this is a number, but must be a string; the rule is ignored"),
        ("{\"?\":[]}", "this is an array, but must be a string or an object; the rule is ignored"),
        ("{\"exclude\":\"yes\"}", "this is a string, but must be true or false; the rule is ignored"),
        ("{\"comment\":{}}", "this is an object; a comment should be a string"),
        ("true", "this is true, but must be an object"),
        ("null", "this is null, but must be an object"),
        (
            "{\"?\":{\"a\":false}}",
            """
            this is false, but must be a string; all of "?" here is ignored; write "*" for any value, "?*" for a value \
            that is not empty
            """
        ),
        ("{\"/\":\"a\",\"/\":\"b\"}", "the key \"/\" occurs more than once; the last one is used"),
    ])
    func messageNamesTheProblem(_ component: String, _ message: String) throws {
        #expect(try AssociationFile(json: Clowntown.json([component])).findings.map(\.message) == [message])
    }
}
