import Testing
import UniversalLinks
import WaypostSchema

/// The contents of a valid association file, with the place of each value.
@Suite struct AssociationFileTests {
    private static let sound = """
        {
          "applinks": {
            "defaults": { "caseSensitive": false },
            "substitutionVariables": {
              "snack": [ "popcorn",
                         "peanuts" ]
            },
            "details": [
              {
                "appIDs": [ "ABCDE12345.com.example.clowntown", "ABCDE12345.com.example.juggler" ],
                "defaults": { "percentEncoded": false, "comment": "for all" },
                "components": [
                  { "/": "/tents/*", "?": { "row": "?", "seat": "?*" }, "#": "top", "comment": "é" },
                  { "?": "a=1", "exclude": true }
                ]
              },
              { "appID": "ABCDE12345.com.example.mime", "components": [ {} ] }
            ]
          },
          "webcredentials": { "apps": [ "ABCDE12345.com.example.clowntown" ] },
          "appclips": { "apps": [ "ABCDE12345.com.example.clowntown.Clip" ] },
          "activitycontinuation": { "apps": [] }
        }
        """

    @Test func validFileHasNoFindings() throws {
        let file = try AssociationFile(json: Self.sound)
        #expect(file.hasAppLinks)
        #expect(file.findings.isEmpty, "\(file.findings)")
    }

    @Test func appsAreReadWithTheirPlaces() throws {
        let entries = try AssociationFile(json: Self.sound).entries
        #expect(
            entries.flatMap { $0.value.apps.map(\.value) } == [
                "ABCDE12345.com.example.clowntown", "ABCDE12345.com.example.juggler", "ABCDE12345.com.example.mime",
            ]
        )
        let apps = entries.flatMap(\.value.apps)
        #expect(
            apps.map(\.path) == [
                "applinks.details[0].appIDs[0]", "applinks.details[0].appIDs[1]", "applinks.details[1].appID",
            ]
        )
        #expect(apps.map(\.line) == [10, 10, 17])
        #expect(apps.map(\.column) == [21, 57, 18])
    }

    @Test func entriesAndRulesAreReadWithTheirPlaces() throws {
        let entries = try AssociationFile(json: Self.sound).entries
        #expect(entries.map(\.path) == ["applinks.details[0]", "applinks.details[1]"])
        #expect(entries.map(\.line) == [9, 17])
        #expect(entries.map(\.column) == [7, 7])
        let rules = entries.flatMap(\.value.rules)
        #expect(
            rules.map(\.path) == [
                "applinks.details[0].components[0]", "applinks.details[0].components[1]",
                "applinks.details[1].components[0]",
            ]
        )
        #expect(rules.map(\.line) == [13, 14, 17])
        #expect(rules.map(\.column) == [11, 11, 65])
    }

    @Test func everyKeyOfARuleIsRead() throws {
        let rules = try AssociationFile(json: Self.sound).entries.flatMap { $0.value.rules.map(\.value) }
        var tents = LinkRule()
        tents.path = "/tents/*"
        tents.query = .items([.init(name: "row", pattern: "?"), .init(name: "seat", pattern: "?*")])
        tents.fragment = "top"
        tents.comment = "é"
        var first = LinkRule()
        first.query = .whole("a=1")
        first.exclude = true
        #expect(rules == [tents, first, LinkRule()])
        #expect(rules.map(\.isExclusion) == [false, true, false])
    }

    @Test func defaultsOfBothLevelsAreRead() throws {
        let file = try AssociationFile(json: Self.sound)
        var ofTheDomain = LinkRule()
        ofTheDomain.caseSensitive = false
        #expect(file.defaults == ofTheDomain)
        var ofTheEntry = LinkRule()
        ofTheEntry.percentEncoded = false
        ofTheEntry.comment = "for all"
        #expect(file.entries.map(\.value.defaults) == [ofTheEntry, LinkRule()])
    }

    @Test func variablesAreReadWithTheirPlaces() throws {
        let variables = try AssociationFile(json: Self.sound).substitutionVariables
        let snack = try #require(variables["snack"])
        #expect(variables.count == 1)
        #expect(snack.path == "applinks.substitutionVariables.snack")
        #expect(snack.value.map(\.value) == ["popcorn", "peanuts"])
        #expect(snack.value.map(\.line) == [5, 6])
        #expect(snack.value.map(\.column) == [18, 18])
        #expect(snack.value.last?.path == "applinks.substitutionVariables.snack[1]")
    }

    @Test func otherServicesAreKept() throws {
        #expect(
            try AssociationFile(json: Self.sound).otherServices == [
                "webcredentials": ["ABCDE12345.com.example.clowntown"],
                "appclips": ["ABCDE12345.com.example.clowntown.Clip"], "activitycontinuation": [],
            ]
        )
    }

    @Test func pathsAreRulesOfTheOldForm() throws {
        let file = try AssociationFile(
            json: #"{"applinks":{"apps":[],"details":[{"appID":"A.b","paths":["/x","NOT /y"]}]}}"#
        )
        let rules = try #require(file.entries.first).value.rules
        #expect(rules.map(\.value.form) == [.path, .path])
        #expect(rules.map(\.value.path) == ["/x", "/y"])
        #expect(rules.map(\.value.isExclusion) == [false, true])
        #expect(rules.map(\.path) == ["applinks.details[0].paths[0]", "applinks.details[0].paths[1]"])
        #expect(file.findings.isEmpty)
    }

    @Test func keysOfADetailsDictionaryAreApps() throws {
        let json = """
            {"applinks": {"apps": [], "details": {
              "A.b": {"paths": ["/x"]},
              "C.d": {"paths": ["/y"]}
            }}}
            """
        let file = try AssociationFile(json: json)
        #expect(file.entries.map { $0.value.apps.map(\.value) } == [["A.b"], ["C.d"]])
        #expect(file.entries.map(\.path) == [#"applinks.details["A.b"]"#, #"applinks.details["C.d"]"#])
        #expect(file.entries.map(\.line) == [2, 3])
        #expect(file.findings.map(\.code) == [.dictionaryDetails])
    }

    @Test func jsonEscapesAreDecoded() throws {
        let file = try AssociationFile(json: Clowntown.json([#"{"\u002f":"\/t\u0065nts\ud83e\udd21","\u0023":""}"#]))
        let rule = try #require(file.entries.first?.value.rules.first).value
        #expect(rule.path == "/tents\u{1F921}")
        #expect(rule.fragment == "")
    }

    @Test func fileWithoutAppLinksHasAFinding() throws {
        let file = try AssociationFile(json: #"{"webcredentials":{"apps":[]}}"#)
        #expect(!file.hasAppLinks)
        #expect(file.entries.isEmpty)
        #expect(file.findings.map(\.code) == [.noAppLinks])
    }
}
