import DeviceFiles
import SchemaFiles
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
        Case("unclosed list", "name: [a\napps: []", at: "2:5"),
        Case("nested mapping in a scalar", "name: tablet\n  apps: []", at: "2:7"),
        Case("colon in a text", "name: a tablet: mine\napps: []", at: "1:15"),
        Case("reserved character", "name: tablet\napps: @", at: "2:7"),
        Case("brace without an opening brace", "name: tablet\napps: []\n}", at: "3:1"),
        Case("alias without an anchor", "name: tablet\napps: *apps", at: "2:7"),
        Case("second document", "name: tablet\napps: []\n---\nname: phone\napps: []", at: "3:1"),
        Case("unclosed JSON", "{\"name\": \"tablet\",\n\"apps\": [}", at: "2:10"),
        Case("control character", "name: tablet\napps: \u{1}", at: "2:7"),
        Case(
            "predicate that starts with a quotation mark",
            DeviceDescription.yaml(
                scene: "activationConditions:\n  canActivateForTargetContentIdentifierPredicate: \"a\" == SELF"
            ),
            at: "7:63"
        ),
    ]

    @Test(arguments: cases)
    func problemHasItsPlace(_ example: Case) {
        let problems = DeviceText.problems(in: example.text)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(example.place): not YAML: ") == true, "\(problems)")
    }

    @Test(arguments: [
        ("name: a\nname: b\napps: []", "name"),
        (#"{"name": "a", "apps": [], "name": "a"}"#, "name"),
        (DeviceDescription.yaml(scene: "title: a\ntitle: a"), "title"),
    ])
    func repeatedKeyIsNamed(_ text: String, _ key: String) {
        let problems = DeviceText.problems(in: text)
        #expect(problems.first?.contains("the key '\(key)' is repeated") == true, "\(problems)")
    }
}
