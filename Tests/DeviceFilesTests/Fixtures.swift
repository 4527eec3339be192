import DeviceFiles
import SchemaFiles
import WaypostSchema

extension DeviceDescription {
    /// The device that `exampleYAML` and `exampleJSON` describe.
    static let example = DeviceDescription(
        name: "tablet",
        apps: [
            AppDescription(bundleIdentifier: "com.example.camera", supportsMultipleScenes: false, scenes: []),
            AppDescription(
                bundleIdentifier: "com.example.clowntown",
                scenes: [
                    SceneSession(persistentIdentifier: "overview"),
                    SceneSession(
                        persistentIdentifier: "crusty",
                        title: "Crusty: a clown",
                        state: .foregroundActive,
                        lastActivated: Timestamp(milliseconds: 1_790_000_000_000),
                        activationConditions: ActivationConditions(
                            can: #"SELF BEGINSWITH "clowns/""#,
                            prefers: #"SELF == "clowns/crusty""#
                        )
                    ),
                ]
            ),
        ]
    )

    static let exampleYAML = """
        # A device with all that can be said of one.
        name: tablet
        apps:
          - bundleIdentifier: com.example.camera
            supportsMultipleScenes: false
            scenes: []
          - bundleIdentifier: com.example.clowntown
            scenes:
              - persistentIdentifier: overview
              - persistentIdentifier: crusty
                title: "Crusty: a clown"  # quoted, for its colon
                state: foregroundActive
                lastActivated: 1790000000000
                activationConditions:
                  canActivateForTargetContentIdentifierPredicate: SELF BEGINSWITH "clowns/"
                  prefersToActivateForTargetContentIdentifierPredicate: SELF == "clowns/crusty"
        """

    static let exampleJSON = #"""
        {"name":"tablet",
        	"apps": [
        	{"bundleIdentifier" : "com.example.camera", "supportsMultipleScenes" : false, "scenes" : []},
        	{"bundleIdentifier": "com.example.clowntown", "scenes": [
        		{"persistentIdentifier": "overview"},
        		{
        			"persistentIdentifier": "crusty",
        			"title": "\u0043rusty: a clown",
        			"state": "foregroundActive",
        			"lastActivated": 1790000000000,
        			"activationConditions": {
        				"canActivateForTargetContentIdentifierPredicate": "SELF BEGINSWITH \"clowns\/\"",
        				"prefersToActivateForTargetContentIdentifierPredicate": "SELF == \"clowns/crusty\""
        			}
        		}
        	]}
        ]}
        """#

    /// Returns a device file of an app with one scene, to which `lines` are added.
    static func yaml(scene lines: String) -> String {
        """
        name: tablet
        apps:
          - bundleIdentifier: a
            scenes:
              - persistentIdentifier: s

        """ + indented(lines, by: 8)
    }

    /// Returns a device file of an app without scenes, to which `lines` are added.
    static func yaml(app lines: String) -> String {
        """
        name: tablet
        apps:
          - bundleIdentifier: a
            scenes: []

        """ + indented(lines, by: 4)
    }

    private static func indented(_ lines: String, by count: Int) -> String {
        lines.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "\n" : String(repeating: " ", count: count) + $0 + "\n" }
            .joined()
    }
}

/// The text of a device file, of which only the schema is checked.
enum DeviceText {
    private static let schema = Result { try FileSchema.device() }

    /// Returns the device that `text` describes.
    static func device(_ text: String) throws -> DeviceDescription {
        try SchemaFile(FileText(text, file: "device.yaml"), schema.get(), called: "the device").decoded()
    }

    /// Returns the scene of the device in `DeviceDescription.yaml(scene:)` with `lines`.
    static func scene(_ lines: String) throws -> SceneSession? {
        try device(DeviceDescription.yaml(scene: lines)).apps.first?.scenes.first
    }

    /// Returns the problems of `text` with their places.
    static func problems(in text: String) -> [String] {
        do {
            _ = try device(text)
            return []
        } catch {
            let findings = (error as? FileFindings)?.findings ?? []
            return findings.map { "\($0.place.line):\($0.place.column): \($0.message)" }
        }
    }
}
