import DeviceFiles
import Foundation
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct DeviceFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func read(_ text: String, from name: String) throws -> DeviceDescription {
        try DeviceFile(try folder.write(text.utf8, to: name), .device()).description
    }

    /// Returns the problems of a file in lines, without the path of its folder.
    private func problems(_ text: String, read: (String) throws -> Void) throws -> [String] {
        let path = try folder.write(text.utf8, to: "file.yaml")
        let error = try #require(throws: FileFindings.self) { try read(path) }
        return error.findings.map { "\($0.place.line):\($0.place.column): \($0.message)" }
    }

    private func problems(ofDevice text: String) throws -> [String] {
        try problems(text) { _ = try DeviceFile($0, .device()) }
    }

    private func problems(ofApp text: String) throws -> [String] {
        try problems(text) { _ = try AppFile($0, .app()) }
    }

    @Test func fileDescribesADevice() throws {
        #expect(try read(DeviceDescription.exampleYAML, from: "device.yaml") == .example)
    }

    @Test(arguments: ["device", "device.yaml", "device.json", "a b%20c#d?.yaml", "gerät.yml"])
    func nameOfTheFileDoesNotMatter(_ name: String) throws {
        #expect(try read(DeviceDescription.exampleYAML, from: name) == .example)
        #expect(try read(DeviceDescription.exampleJSON, from: name) == .example)
    }

    @Test func linesMayEndWithCRLF() throws {
        let text = DeviceDescription.exampleYAML.split(separator: "\n").joined(separator: "\r\n")
        #expect(try read(text, from: "device.yaml") == .example)
    }

    @Test(arguments: [("ipad", 3), ("mac", 3), ("iphone", 0)])
    func deviceOfTheDemoIsRead(_ name: String, _ scenes: Int) throws {
        let file = Repository.root.appending(path: "CLI/AdminCommands/ClownTown/devices/\(name).yaml")
        let device = try DeviceFile(file.path, .device()).description
        #expect(device.apps.flatMap(\.scenes).count == scenes)
    }

    /// A decoder would stop at the first problem, and so would the device.
    @Test func allProblemsOfADeviceAreReportedWithTheirPlaces() throws {
        let text = """
            name: tablet
            lnaguage: ja
            locked: maybe
            apps:
              - bundleIdentifier: a
                scenes: [{persistentIdentifier: s, stat: background}]
            """
        #expect(
            try problems(ofDevice: text) == [
                "2:1: unknown key 'lnaguage'; did you mean 'language'?",
                "3:9: 'locked' is 'maybe'; it must be true or false",
                "6:40: unknown key 'stat'; did you mean 'state'?",
            ]
        )
    }

    @Test func everyDescriptionErrorIsReportedAtItsPart() throws {
        let text = """
            name: tablet
            focus: { name: Work, notificationFilters: { a: SELF = = } }
            apps:
              - bundleIdentifier: a
                associatedDomains: [applinks:a.example]
                scenes:
                  - persistentIdentifier: s
                    activationConditions:
                      canActivateForTargetContentIdentifierPredicate: SELF = = 1
                      prefersToActivateForTargetContentIdentifierPredicate: SELF LIKES "a"
                  - persistentIdentifier: s
              - bundleIdentifier: a
                scenes: []
            """
        let problems = try problems(ofDevice: text)
        #expect(problems.map { $0.prefix { $0 != " " } } == ["2:48:", "4:5:", "9:59:", "10:65:", "11:9:", "12:5:"])
        #expect(problems.first?.hasPrefix("2:48: the Focus filter of a: offset 7: found '='") == true)
        #expect(problems.contains("12:5: the app a is listed twice"))
        #expect(problems.contains("11:9: app a: the scene s is listed twice"))
    }

    @Test(arguments: [("26.4", "26.4"), ("26.10", "26.10"), ("18", "18"), ("'17.2'", "17.2")])
    func systemIsAVersionWithOrWithoutQuotationMarks(_ text: String, _ version: String) throws {
        let device = try read("name: tablet\nsystem: \(text)\napps: []\n", from: "device.yaml")
        #expect(device.system?.rawValue == version)
    }

    @Test func systemThatIsNoVersionIsReportedThere() throws {
        let found = try problems(ofDevice: "name: tablet\nsystem: iOS 26\napps: []\n")
        #expect(found == ["2:9: the system 'iOS 26' is not a version of iOS, such as 26.4"])
    }

    @Test func errorOfADeclarationIsReportedThere() throws {
        let text = """
            name: tablet
            apps:
              - bundleIdentifier: a
                scenes: []
                declarations:
                  - {name: main, kind: windowGroup}
                  - {name: main, kind: window}
            """
        #expect(try problems(ofDevice: text) == ["7:9: app a: the declaration 'main' is listed twice"])
    }

    @Test func argumentsOfConditionsAreReadAndTheirErrorsReportedThere() throws {
        let text = """
            name: tablet
            apps:
              - bundleIdentifier: a
                values: {selected: crusty}
                scenes:
                  - persistentIdentifier: s
                    activationConditions:
                      canActivateForTargetContentIdentifierPredicate:
                        {format: SELF == %@, arguments: [{value: selected}]}
                      prefersToActivateForTargetContentIdentifierPredicate:
                        {format: SELF == %@, arguments: [crusty]}
            """
        let conditions = try #require(read(text, from: "device.yaml").apps.first?.scenes.first?.activationConditions)
        #expect(conditions.canArguments == [.object(["value": .string("selected")])])
        #expect(conditions.prefersArguments == [.string("crusty")])
        let problems = try problems(ofDevice: text.replacing("value: selected", with: "value: selekted"))
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("9:13: app a, scene s: canActivate") == true, "\(problems)")
        #expect(problems.first?.contains("its 'values' are selected") == true)
    }

    @Test func schemeThatNeverMatchesIsReportedThere() throws {
        let text = """
            name: tablet
            apps:
              - bundleIdentifier: a
                scenes: []
                urlSchemes:
                  - clowntown
                  - clowntown://
                  - https
            """
        let problems = try problems(ofDevice: text)
        #expect(problems.count == 2)
        #expect(problems.first?.hasPrefix("7:9: app a: 'clowntown://' is not a URL scheme") == true)
        #expect(problems.last?.hasPrefix("8:9: app a: the URL scheme 'https' is of websites") == true)
    }

    @Test func typesOfLiveActivitiesAreRead() throws {
        let text = """
            name: tablet
            apps:
              - bundleIdentifier: a
                scenes: []
                liveActivityTypes:
                  Match:
                    contentState:
                      goals: Int
                      endsAt: Date?
                      score: { fields: { home: Int }, isOptional: true }
                      half: { elements: { cases: [first, second] } }
            """
        let type = LiveActivityType(
            contentState: [
                "goals": .named(.name(.int)),
                "endsAt": .named(.optional(.name(.date))),
                "score": .structure(ContentStructure(fields: ["home": .named(.name(.int))], isOptional: true)),
                "half": .structure(
                    ContentStructure(elements: .structure(ContentStructure(cases: ["first", "second"])))
                ),
            ]
        )
        #expect(try read(text, from: "device.yaml").apps.first?.liveActivityTypes == ["Match": type])
    }

    @Test func fieldOfAnUnusableTypeIsReportedThere() throws {
        let text = """
            name: tablet
            apps:
              - bundleIdentifier: a
                scenes: []
                liveActivityTypes:
                  Match:
                    contentState:
                      goals: Intt
            """
        #expect(
            try problems(ofDevice: text) == [
                "8:18: 'apps[0].liveActivityTypes.Match.contentState.goals': 'Intt' is not a type of a field; "
                    + "did you mean 'Int'?"
            ]
        )
    }

    @Test func structureWithoutPartsIsReportedThere() throws {
        let text = """
            name: tablet
            apps:
              - bundleIdentifier: a
                scenes: []
                liveActivityTypes:
                  Match:
                    contentState:
                      laps: [Int]
                      score: { home: Int }
                      half: { isOptional: true }
            """
        #expect(
            try problems(ofDevice: text) == [
                "8:17: 'laps' is a list; it must be a text or an object",
                "9:20: unknown key 'home'; keys here: cases, elements, fields, isOptional",
                "10:17: 'half' needs 'fields', 'cases' or 'elements'",
            ]
        )
    }

    /// Both forms of the condition are taken away, so that the search for errors ends.
    @Test func conditionInBothFormsIsReportedAtItsScene() throws {
        let text = """
            name: tablet
            apps:
              - bundleIdentifier: a
                scenes:
                  - persistentIdentifier: s
                    activationConditions:
                      allowing: ["b"]
                      canActivateForTargetContentIdentifierPredicate: SELF == "b"
            """
        let problems = try problems(ofDevice: text)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("8:59: app a, scene s: ") == true)
    }

    @Test func conditionsThatAProcessSetsAreChecked() throws {
        let text = """
            bundleIdentifier: a
            scenes: [{persistentIdentifier: s, activationConditions: {canActivateForTargetContentIdentifierPredicate: "("}}]
            process:
              conditions:
                t:
                  prefersToActivateForTargetContentIdentifierPredicate: SELF LIKES "a"
            """
        let problems = try problems(ofApp: text)
        #expect(problems.map { $0.prefix { $0 != " " } } == ["2:107:", "6:61:"])
        #expect(problems.last?.contains("scene t: prefersToActivate") == true)
    }

    @Test func unknownKeyOfAProcessIsReported() throws {
        let text = "bundleIdentifier: a\nscenes: []\nprocess: { preview: [] }"
        #expect(try problems(ofApp: text) == ["3:12: unknown key 'preview'; did you mean 'previews'?"])
    }

    @Test func appFileDeclaresTheTokensOfTheApp() throws {
        let text = "bundleIdentifier: com.example.tv\nscenes: []\ntokens: [app, voip, control]\n"
        let file = try AppFile(try folder.write(text.utf8, to: "tv.yaml"), .app())
        #expect(file.app.tokens == [.app, .voip, .control])
        let problems = try problems(ofApp: text.replacing("voip", with: "voIP"))
        #expect(problems == ["3:15: an element of 'tokens' is 'voIP'; did you mean 'voip'?"])
    }

    @Test func folderStandsForItsFiles() throws {
        for name in ["b.yml", "a.yaml", "c.json", "notes.txt"] { _ = try folder.write([], to: name) }
        let names = try DeviceFile.paths(at: folder.path).map { URL(filePath: $0).lastPathComponent }
        #expect(names == ["a.yaml", "b.yml", "c.json"])
        let empty = try ScratchFolder()
        let error = #expect(throws: FileFindings.self) { try DeviceFile.paths(at: empty.path) }
        #expect(error?.description.hasSuffix("the folder has no file whose name ends in .yaml, .yml or .json") == true)
    }
}
