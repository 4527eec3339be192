import DescriptionFiles
import Testing
import WaypostSchema

/// Settings in device files for sharing.
@Suite struct SharingFileTests {
    private static let expected = DeviceDescription(
        name: "tablet",
        apps: [
            AppDescription(bundleIdentifier: "com.example.clowntown", sharedWithYou: true, scenes: []),
            AppDescription(bundleIdentifier: "com.example.balloons", scenes: []),
        ],
        pinnedIsAlwaysAvailable: false
    )

    @Test(arguments: [
        """
        name: tablet
        pinnedIsAlwaysAvailable: false
        apps:
          - bundleIdentifier: com.example.clowntown
            sharedWithYou: true
            scenes: []
          - bundleIdentifier: com.example.balloons
            sharedWithYou: false
            scenes: []
        """,
        #"""
        {"name": "tablet", "pinnedIsAlwaysAvailable": false,
         "apps": [{"bundleIdentifier": "com.example.clowntown", "sharedWithYou": true, "scenes": []},
                  {"bundleIdentifier": "com.example.balloons", "sharedWithYou": false, "scenes": []}]}
        """#,
    ])
    func choicesAreRead(_ text: String) throws {
        #expect(try StrictYAML.device(text) == Self.expected)
    }

    @Test func capabilityIsOffAndAlwaysAvailableIsOnByDefault() throws {
        let device = try StrictYAML.device(DeviceDescription.yaml(app: ""))
        #expect(device.pinnedIsAlwaysAvailable)
        #expect(device.apps.map(\.sharedWithYou) == [false])
    }

    @Test(
        arguments: [
            ("sharedWithYou: 1", "'apps[0].sharedWithYou' must be true or false"),
            ("sharedWithYou: soon", "'apps[0].sharedWithYou' must be true or false"),
            ("sharedWithYou:", "'apps[0].sharedWithYou' has no value"),
            ("sharedWithyou: true", "'apps[0].sharedWithyou' is not a known key here"),
            ("pinnedIsAlwaysAvailable: true", "'apps[0].pinnedIsAlwaysAvailable' is not a known key here"),
        ]
    )
    func errorInAnAppIsNamedWithItsPlace(_ line: String, _ reason: String) {
        #expect(StrictYAML.error(in: DeviceDescription.yaml(app: line)) == reason)
    }

    @Test(
        arguments: [
            ("pinnedIsAlwaysAvailable: 1", "'pinnedIsAlwaysAvailable' must be true or false"),
            ("pinnedIsAlwaysAvailable:", "'pinnedIsAlwaysAvailable' has no value"),
            ("sharedWithYou: true", "'sharedWithYou' is not a known key here"),
        ]
    )
    func errorInADeviceIsNamed(_ line: String, _ reason: String) {
        #expect(StrictYAML.error(in: "name: a\napps: []\n\(line)") == reason)
    }
}
