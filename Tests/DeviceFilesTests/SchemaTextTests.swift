import Testing
import WaypostSchema

/// Texts that the schema of device files refuses: each problem names its place and what is accepted.
@Suite struct SchemaTextTests {
    @Test(
        arguments: [
            ("{}", ["1:1: the device needs 'name'", "1:1: the device needs 'apps'"]),
            (
                "name: [a]\napps: 3",
                ["1:7: 'name' is a list; it must be a text", "2:7: 'apps' is '3'; it must be a list"]
            ),
            ("name:\napps: []", ["1:6: 'name' has no value; it must be a text"]),
            (#"{"name": null, "apps": []}"#, ["1:10: 'name' has no value; it must be a text"]),
            ("name: a\napps: [{scenes: []}]", ["2:8: an element of 'apps' needs 'bundleIdentifier'"]),
            (
                "name: a\napps: []\nassociatedDomainsDevelopment: {a.example: [b]}",
                ["3:43: 'a.example' is a list; it must be a text"]
            ),
            (DeviceDescription.yaml(scene: "<<: {titel: x}"), ["6:14: unknown key 'titel'; did you mean 'title'?"]),
            (
                DeviceDescription.yaml(scene: "lastActivated: now"),
                ["6:24: 'lastActivated' is 'now'; it must be a whole number"]
            ),
            ("name: a\napps: []\nlayout: splitView", ["3:9: 'layout' is 'splitView'; use fullScreen"]),
            (DeviceDescription.yaml(scene: "state: front"), ["6:16: 'state' is 'front'; use foregroundActive"]),
        ]
    )
    func problemHasItsPlace(_ text: String, _ expected: [String]) {
        let problems = DeviceText.problems(in: text)
        #expect(problems.count == expected.count, "\(problems)")
        for (problem, start) in zip(problems, expected) { #expect(problem.hasPrefix(start), "\(problem)") }
    }

    @Test(arguments: ContentSizeCategory.allCases)
    func everyTextSizeIsRead(_ category: ContentSizeCategory) throws {
        let text = "name: a\napps: []\npreferredContentSizeCategory: \(category.rawValue)"
        #expect(try DeviceText.device(text).preferredContentSizeCategory == category)
    }

    @Test(arguments: WindowLayout.allCases)
    func everyLayoutIsRead(_ layout: WindowLayout) throws {
        #expect(try DeviceText.device("name: a\napps: []\nlayout: \(layout.rawValue)").layout == layout)
    }

    @Test func objectWithFreeKeysAcceptsAnyValue() throws {
        let items = "shortcutItems: [{type: a, localizedTitle: b, userInfo: {c: [1, {d: 0.5}], 'no': null}}]"
        let device = try DeviceText.device(DeviceDescription.yaml(app: items))
        #expect(
            device.apps.first?.shortcutItems.first?.userInfo
                == .object(["c": .array([.integer(1), .object(["d": .double(0.5)])]), "no": .null])
        )
    }
}
