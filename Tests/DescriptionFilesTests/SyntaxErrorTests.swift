import DescriptionFiles
import Testing
import WaypostSchema
import WaypostTestSupport

/// Texts that are not YAML.
@Suite struct SyntaxErrorTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var place: String

        init(_ description: String, _ text: String, at place: String) {
            testDescription = description
            self.text = text
            self.place = place
        }
    }

    private static let cases = [
        Case("tab as indentation", "name: tablet\n\tapps: []", at: "2:1"),
        Case("list that is not closed", "name: [a\napps: []", at: "2:5"),
        Case("value of a value", "name: tablet\n  apps: []", at: "2:7"),
        Case("colon in a text", "name: a tablet: mine\napps: []", at: "1:15"),
        Case("character that begins nothing", "name: tablet\napps: @", at: "2:7"),
        Case("brace that nothing opened", "name: tablet\napps: []\n}", at: "3:1"),
        Case("alias of nothing", "name: tablet\napps: *apps", at: "2:7"),
        Case("second document", "name: tablet\napps: []\n---\nname: phone\napps: []", at: "3:1"),
        Case("JSON that is not closed", "{\"name\": \"tablet\",\n\"apps\": [}", at: "2:10"),
        Case("control character", "name: tablet\napps: \u{1}", at: "2:7"),
        Case(
            "predicate that begins with a quote",
            DeviceDescription.yaml(
                scene: "activationConditions:\n  canActivateForTargetContentIdentifierPredicate: \"a\" == SELF"
            ),
            at: "7:63"
        ),
    ]

    @Test(arguments: cases)
    func lineAndColumnAreNamed(_ example: Case) {
        let error = StrictYAML.error(in: example.text)
        #expect(error?.contains("\(example.place): ") == true, "\(error ?? "")")
    }

    @Test(arguments: cases)
    func errorSaysThatItIsNotYAML(_ example: Case) {
        let error = StrictYAML.error(in: example.text)
        #expect(error?.hasPrefix("not YAML: ") == true, "\(error ?? "")")
    }

    @Test(arguments: [
        ("name: a\nname: b\napps: []", "name"),
        (#"{"name": "a", "apps": [], "name": "a"}"#, "name"),
        (DeviceDescription.yaml(scene: "title: a\ntitle: a"), "title"),
    ])
    func keyThatStandsThereTwiceIsNamed(_ text: String, _ key: String) {
        let error = StrictYAML.error(in: text)
        #expect(error?.contains("'\(key)'") == true, "\(error ?? "")")
    }

    @Test func fileIsNamedToo() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("name: tablet\n\tapps: []".utf8, to: "device.yaml")
        let error = #expect(throws: DescriptionFile.ReadError.self) {
            try DescriptionFile.read(DeviceDescription.self, from: path)
        }
        #expect(error?.description.hasPrefix("\(path): ") == true)
        #expect(error?.description.contains("2:1: ") == true)
    }
}
