import DescriptionFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct ErrorPlaceTests {
    @Test(arguments: [
        ("{}", "name"),
        ("apps: []", "name"),
        ("name: tablet", "apps"),
        ("name: tablet\napps: [{scenes: []}]", "apps[0].bundleIdentifier"),
        ("name: tablet\napps: [{bundleIdentifier: a, scenes: []}, {bundleIdentifier: b}]", "apps[1].scenes"),
        (
            "name: tablet\napps: [{bundleIdentifier: a, scenes: [{persistentIdentifier: s}, {title: t}]}]",
            "apps[0].scenes[1].persistentIdentifier"
        ),
        (#"{"name": "tablet", "apps": [{"scenes": []}]}"#, "apps[0].bundleIdentifier"),
    ])
    func missingKeyIsNamed(_ text: String, _ place: String) {
        #expect(StrictYAML.error(in: text) == "'\(place)' is required")
    }

    @Test(arguments: ["now", "'12'", "1.5", "12.0", "1e3", "99999999999999999999", "2026-01-01T00:00:00Z", "true"])
    func timestampIsAWholeNumber(_ value: String) {
        let error = StrictYAML.error(in: DeviceDescription.yaml(scene: "lastActivated: \(value)"))
        #expect(error == "'apps[0].scenes[0].lastActivated' must be a whole number")
    }

    @Test(arguments: ["maybe", "'true'", "1", "0", "''"])
    func supportsMultipleScenesIsABoolean(_ value: String) {
        let error = StrictYAML.error(in: DeviceDescription.yaml(app: "supportsMultipleScenes: \(value)"))
        #expect(error == "'apps[0].supportsMultipleScenes' must be true or false")
    }

    @Test(arguments: ["front", "Background", "3", "''"])
    func unknownStateIsNamed(_ value: String) {
        let error = StrictYAML.error(in: DeviceDescription.yaml(scene: "state: \(value)"))
        #expect(error?.hasPrefix("'apps[0].scenes[0].state': ") == true, "\(error ?? "")")
    }

    @Test(arguments: [
        ("name: [a]\napps: []", "'name'"),
        ("name: {a: b}\napps: []", "'name'"),
        ("name: tablet\napps: 3", "'apps'"),
        ("name: tablet\napps: {a: b}", "'apps'"),
        ("name: tablet\napps: [3]", "'apps[0]'"),
        ("name: tablet\napps: [[]]", "'apps[0]'"),
        (DeviceDescription.yaml(scene: "title: [a]"), "'apps[0].scenes[0].title'"),
        (DeviceDescription.yaml(scene: "state: {}"), "'apps[0].scenes[0].state'"),
        (DeviceDescription.yaml(scene: "lastActivated: [1]"), "'apps[0].scenes[0].lastActivated'"),
        (DeviceDescription.yaml(scene: "activationConditions: x"), "'apps[0].scenes[0].activationConditions'"),
        (DeviceDescription.yaml(scene: "activationConditions: []"), "'apps[0].scenes[0].activationConditions'"),
        (
            DeviceDescription.yaml(
                scene: "activationConditions: {canActivateForTargetContentIdentifierPredicate: [a]}"
            ),
            "'apps[0].scenes[0].activationConditions.canActivateForTargetContentIdentifierPredicate'"
        ),
        ("[]", "the document"),
        ("12", "the document"),
        ("tablet", "the document"),
        ("", "the document"),
        ("# nothing\n", "the document"),
    ])
    func valueOfTheWrongTypeIsNamed(_ text: String, _ place: String) {
        let error = StrictYAML.error(in: text)
        #expect(error?.hasPrefix("\(place) must be ") == true, "\(error ?? "")")
    }

    @Test(arguments: [
        ("name:\napps: []", "name"),
        ("name: ~\napps: []", "name"),
        ("name: null\napps: []", "name"),
        (#"{"name": null, "apps": []}"#, "name"),
        ("name: tablet\napps:", "apps"),
        (#"{"name": "tablet", "apps": null}"#, "apps"),
        ("name: tablet\napps:\n  -", "apps[0]"),
        ("name: tablet\napps:\n  - bundleIdentifier:\n    scenes: []", "apps[0].bundleIdentifier"),
    ])
    func requiredValueMayNotBeNull(_ text: String, _ place: String) {
        #expect(StrictYAML.error(in: text)?.contains("'\(place)'") == true)
    }

    @Test func errorNamesTheFile() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("apps: []".utf8, to: "device.yaml")
        let error = #expect(throws: DescriptionFile.ReadError.self) {
            try DescriptionFile.read(DeviceDescription.self, from: path)
        }
        #expect(error?.description == "\(path): 'name' is required")
    }
}
