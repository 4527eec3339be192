import DescriptionFiles
import Testing
import WaypostSchema

/// Settings in device files for attribution views: display names of apps, language, text size.
@Suite struct AttributionFileTests {
    private static let expected = DeviceDescription(
        name: "tablet",
        apps: [
            AppDescription(bundleIdentifier: "com.example.clowntown", displayName: "Clown Town", scenes: []),
            AppDescription(bundleIdentifier: "com.example.balloons", scenes: []),
        ],
        language: "ja",
        preferredContentSizeCategory: .accessibilityLarge
    )

    @Test(arguments: [
        """
        name: tablet
        language: ja
        preferredContentSizeCategory: accessibilityLarge
        apps:
          - bundleIdentifier: com.example.clowntown
            displayName: Clown Town
            scenes: []
          - bundleIdentifier: com.example.balloons
            scenes: []
        """,
        #"""
        {"name": "tablet", "language": "ja", "preferredContentSizeCategory": "accessibilityLarge",
         "apps": [{"bundleIdentifier": "com.example.clowntown", "displayName": "Clown Town", "scenes": []},
                  {"bundleIdentifier": "com.example.balloons", "scenes": []}]}
        """#,
    ])
    func settingsOfAttributionViewsAreRead(_ text: String) throws {
        #expect(try StrictYAML.device(text) == Self.expected)
    }

    @Test func deviceIsInEnglishWithLargeTextByDefault() throws {
        let device = try StrictYAML.device(DeviceDescription.yaml(app: ""))
        #expect(device.language == "en")
        #expect(device.preferredContentSizeCategory == .large)
        #expect(device.apps.map(\.displayName) == [nil])
    }

    @Test func norwegianNoIsNotABoolean() throws {
        #expect(try StrictYAML.device("name: a\napps: []\nlanguage: no").language == "no")
    }

    @Test(arguments: ContentSizeCategory.allCases)
    func everyTextSizeIsRead(_ category: ContentSizeCategory) throws {
        let text = "name: a\napps: []\npreferredContentSizeCategory: \(category.rawValue)"
        #expect(try StrictYAML.device(text).preferredContentSizeCategory == category)
    }

    @Test(
        arguments: [
            ("displayName:", "'apps[0].displayName' has no value"),
            ("displayname: a", "'apps[0].displayname' is not a known key here"),
            ("language: ja", "'apps[0].language' is not a known key here"),
        ]
    )
    func errorInAnAppIsNamedWithItsPlace(_ line: String, _ reason: String) {
        #expect(StrictYAML.error(in: DeviceDescription.yaml(app: line)) == reason)
    }

    @Test(
        arguments: [
            ("language:", "'language' has no value"),
            ("preferredContentSizeCategory:", "'preferredContentSizeCategory' has no value"),
            ("contentSizeCategory: large", "'contentSizeCategory' is not a known key here"),
        ]
    )
    func errorInADeviceIsNamed(_ line: String, _ reason: String) {
        #expect(StrictYAML.error(in: "name: a\napps: []\n\(line)") == reason)
    }

    @Test(arguments: [
        (DeviceDescription.yaml(app: "displayName: [a]"), "'apps[0].displayName'"),
        ("name: a\napps: []\nlanguage: [ja]", "'language'"),
        ("name: a\napps: []\npreferredContentSizeCategory: [large]", "'preferredContentSizeCategory'"),
    ])
    func valueOfTheWrongTypeIsNamed(_ text: String, _ place: String) {
        let error = StrictYAML.error(in: text)
        #expect(error?.hasPrefix("\(place) must be ") == true, "\(error ?? "")")
    }

    @Test func unknownTextSizeIsRefusedWithTheKnownOnes() {
        let known = ContentSizeCategory.allCases.map(\.rawValue).joined(separator: ", ")
        let error = StrictYAML.error(in: "name: a\napps: []\npreferredContentSizeCategory: huge")
        #expect(error == "'preferredContentSizeCategory': 'huge' is not one of \(known)")
    }
}
