import Testing
import UniversalLinks
import WaypostSchema

/// Invalid and unusual values outside of rules: in entries, in `applinks` and at the top level.
@Suite struct OddFileTests {
    @Test(arguments: [
        FindingCase(
            #"{"applinks":{"details":[7,{"appIDs":["A.b"],"components":[{}]}]}}"#,
            [.init(.error, .wrongType, "applinks.details[0]", column: 25)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appIDs":"A.b","components":[{}]}]}}"#,
            [
                .init(.error, .noAppID, "applinks.details[0]", column: 25),
                .init(.error, .wrongType, "applinks.details[0].appIDs", column: 35),
            ],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appIDs":["A.b",1],"components":[{}]}]}}"#,
            [.init(.error, .wrongType, "applinks.details[0].appIDs[1]", column: 42)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appID":["A.b"],"components":[{}]}]}}"#,
            [
                .init(.error, .noAppID, "applinks.details[0]", column: 25),
                .init(.error, .wrongType, "applinks.details[0].appID", column: 34),
            ],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"components":[{}]}]}}"#,
            [.init(.error, .noAppID, "applinks.details[0]", column: 25)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appIDs":[],"appID":"A.b","components":[{}]}]}}"#,
            [
                .init(.error, .noAppID, "applinks.details[0]", column: 25),
                .init(.warning, .appIDIgnored, "applinks.details[0].appID", column: 46),
            ],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appIDs":["A.b"]}]}}"#,
            [.init(.warning, .noRules, "applinks.details[0]", column: 25)]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[]}]}}"#,
            [.init(.warning, .noRules, "applinks.details[0].components", column: 56)]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appIDs":["A.b"],"components":{"/":"*"}}]}}"#,
            [.init(.error, .wrongType, "applinks.details[0].components", column: 56)]
        ),
        FindingCase(
            #"{"applinks":{"apps":[],"details":[{"appID":"A.b","paths":"*"}]}}"#,
            [.init(.error, .wrongType, "applinks.details[0].paths", column: 58)]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appID":"A.b","paths":["/x"],"components":[{}]}]}}"#,
            [.init(.note, .pathsIgnored, "applinks.details[0].paths", column: 48)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"apps":[],"details":[{"appIDs":["A.b"],"paths":["/x"]}]}}"#,
            [.init(.warning, .appIDsWithPaths, "applinks.details[0].paths", column: 61)],
            rules: [#""/x""#]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appIDs":["A.b"],"defaults":"none","components":[{}]}]}}"#,
            [.init(.error, .wrongType, "applinks.details[0].defaults", column: 54)],
            rules: ["{}"]
        ),
    ])
    func invalidPartOfAnEntryAffectsOnlyItself(_ example: FindingCase) throws {
        try example.check()
    }

    @Test(arguments: [
        FindingCase(
            #"{"applinks":[]}"#,
            [.init(.note, .noAppLinks, "", column: 1), .init(.error, .wrongType, "applinks", column: 13)]
        ),
        FindingCase(#"{}"#, [.init(.note, .noAppLinks, "", column: 1)]),
        FindingCase(#"{"applinks":{}}"#, [.init(.warning, .noDetails, "applinks", column: 13)]),
        FindingCase(#"{"applinks":{"details":[]}}"#, [.init(.warning, .noDetails, "applinks", column: 13)]),
        FindingCase(
            #"{"applinks":{"details":"none"}}"#,
            [
                .init(.warning, .noDetails, "applinks", column: 13),
                .init(.error, .wrongType, "applinks.details", column: 24),
            ]
        ),
        FindingCase(
            #"{"applinks":{"details":{"A.b":{"components":[{}]}}}}"#,
            [.init(.note, .dictionaryDetails, "applinks.details", column: 24)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appID":"A.b","paths":["/x"]}]}}"#,
            [.init(.warning, .missingApps, "applinks", column: 13)],
            rules: [#""/x""#]
        ),
        FindingCase(
            #"{"applinks":{"apps":["A.b"],"details":[{"appID":"A.b","paths":["/x"]}]}}"#,
            [.init(.warning, .appsNotEmpty, "applinks.apps", column: 21)],
            rules: [#""/x""#]
        ),
        FindingCase(
            #"{"applinks":{"apps":null,"details":[{"appID":"A.b","components":[{}]}]}}"#,
            [.init(.error, .wrongType, "applinks.apps", column: 21)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"defaults":[],"details":[{"appID":"A.b","components":[{}]}]}}"#,
            [.init(.error, .wrongType, "applinks.defaults", column: 25)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"substitutionVariables":[],"details":[{"appID":"A.b","components":[{}]}]}}"#,
            [.init(.error, .wrongType, "applinks.substitutionVariables", column: 38)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"substitutionVariables":{"x y":"a"},"details":[{"appID":"A.b","components":[{}]}]}}"#,
            [.init(.error, .wrongType, #"applinks.substitutionVariables["x y"]"#, column: 45)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"substitutionVariables":{"x":["a",2]},"details":[{"appID":"A.b","components":[{}]}]}}"#,
            [.init(.error, .wrongType, "applinks.substitutionVariables.x[1]", column: 48)],
            rules: ["{}"]
        ),
        FindingCase(
            #"{"applinks":{"details":[{"appID":"A.b","components":[{}]}]},"webcredentials":7,"appclips":{"apps":{}}}"#,
            [
                .init(.error, .wrongType, "webcredentials", column: 78),
                .init(.error, .wrongType, "appclips.apps", column: 99),
            ],
            rules: ["{}"]
        ),
    ])
    func invalidPartOfAFileAffectsOnlyItself(_ example: FindingCase) throws {
        try example.check()
    }

    @Test func lastOfTwoEqualKeysIsUsed() throws {
        let json = """
            {"applinks": {},
             "applinks": {"details": [{"appIDs": ["A.b"],
               "components": [{"/": "/x"}],
               "components": [{"/": "/y"}]}]}}
            """
        try FindingCase(
            json,
            [
                .init(.warning, .duplicateKey, "applinks", line: 2, column: 14),
                .init(.warning, .duplicateKey, "applinks.details[0].components", line: 4, column: 18),
            ],
            rules: [#"{"/":"/y"}"#]
        ).check()
    }

    @Test func columnsCountBytes() throws {
        try FindingCase(
            #"{"webcredentials":{"apps":["é🤡",7]},"applinks":{"details":[{"appID":"é","components":[{}]}]}}"#,
            [.init(.error, .wrongType, "webcredentials.apps[1]", column: 37)],
            rules: ["{}"]
        ).check()
    }

    @Test func onlyALineFeedEndsALine() throws {
        try FindingCase(
            "{\r\n\"applinks\":\r\n\n  {}}",
            [.init(.warning, .noDetails, "applinks", line: 4, column: 3)]
        ).check()
    }

    @Test func byteOrderMarkIsAFindingAndShiftsNoColumn() throws {
        let example = FindingCase(
            "\u{FEFF}{\"applinks\":{\"details\":[{\"appID\":\"A.b\",\"components\":[{\"/\":1},{}]}]}}",
            [
                .init(.warning, .byteOrderMark, "", column: 1),
                .init(.error, .wrongType, #"applinks.details[0].components[0]["/"]"#, column: 59),
            ],
            rules: ["{}"]
        )
        try example.check()
    }
}
