import DescriptionFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct UnknownKeyTests {
    struct Case: CustomTestStringConvertible {
        var place: String
        var text: String
        var testDescription: String { place }

        init(_ place: String, _ text: String) {
            self.place = place
            self.text = text
        }

        /// Creates a case from the example with `line` inserted above `anchor`.
        init(_ place: String, adding line: String, above anchor: String, in example: String) {
            self.init(place, example.replacing(anchor, with: line + anchor, maxReplacements: 1))
        }
    }

    @Test(arguments: [
        Case("nmae", adding: "nmae: tablet\n", above: "name:", in: DeviceDescription.exampleYAML),
        Case("scenes", adding: "scenes: []\n", above: "apps:", in: DeviceDescription.exampleYAML),
        Case("apps[0].Scenes", adding: "Scenes: []\n    ", above: "scenes: []", in: DeviceDescription.exampleYAML),
        Case("apps[1].name", adding: "name: x\n    ", above: "scenes:\n", in: DeviceDescription.exampleYAML),
        Case(
            "apps[1].scenes[1].prefers",
            adding: "prefers: x\n        ",
            above: "title",
            in: DeviceDescription.exampleYAML
        ),
        Case(
            "apps[1].scenes[1].activationConditions.prefers",
            adding: "prefers: x\n          ",
            above: "canActivate",
            in: DeviceDescription.exampleYAML
        ),
        Case("nmae", adding: #""nmae":"x","#, above: #""name""#, in: DeviceDescription.exampleJSON),
        Case("apps[0].titel", adding: #""titel":"x","#, above: #""supports"#, in: DeviceDescription.exampleJSON),
        Case("apps[1].scenes[1].titel", adding: #""titel":"x","#, above: #""title"#, in: DeviceDescription.exampleJSON),
        Case(
            "apps[1].scenes[1].activationConditions.can",
            adding: #""can":"x","#,
            above: #""canActivate"#,
            in: DeviceDescription.exampleJSON
        ),
    ])
    func unknownKeyIsNamedWithItsPlace(_ example: Case) {
        #expect(StrictYAML.error(in: example.text) == "'\(example.place)' is not a known key here")
    }

    @Test(arguments: ["{title: x}", "[x]", "[[{a: b}]]", "''", "0", "false", "[]", "{}"])
    func valueOfTheUnknownKeyDoesNotMatter(_ value: String) {
        let error = StrictYAML.error(in: DeviceDescription.yaml(scene: "titel: \(value)"))
        #expect(error == "'apps[0].scenes[0].titel' is not a known key here")
    }

    @Test(arguments: ["titel:", "titel: ~", "titel: null"])
    func unknownKeyWithoutAValueIsRefused(_ line: String) {
        let error = StrictYAML.error(in: DeviceDescription.yaml(scene: line))
        #expect(error?.contains("'apps[0].scenes[0].titel'") == true)
    }

    @Test func unknownKeyInAListIsNamed() {
        let error = StrictYAML.error(
            in: "- persistentIdentifier: s\n- persistentIdentifier: t\n  titel: x",
            as: [SceneSession].self
        )
        #expect(error == "'[1].titel' is not a known key here")
    }

    @Test func unknownKeyIsNamedAtThePlaceOfItsMerge() {
        let error = StrictYAML.error(in: DeviceDescription.yaml(scene: "<<: {titel: x}"))
        #expect(error == "'apps[0].scenes[0].titel' is not a known key here")
    }

    @Test func knownKeyOfAnotherPlaceIsUnknown() {
        let error = StrictYAML.error(in: DeviceDescription.yaml(scene: "supportsMultipleScenes: true"))
        #expect(error == "'apps[0].scenes[0].supportsMultipleScenes' is not a known key here")
    }

    @Test func errorNamesTheFile() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("name: x\napps: []\nnote: y".utf8, to: "device.yaml")
        #expect(throws: DescriptionFile.ReadError(path: path, reason: "'note' is not a known key here")) {
            try DescriptionFile.read(DeviceDescription.self, from: path)
        }
    }
}
