import DescriptionFiles
import Testing
import WaypostSchema

/// Settings in device files for universal links.
@Suite struct LinkFileTests {
    private static let expected = DeviceDescription(
        name: "tablet",
        apps: [
            AppDescription(
                bundleIdentifier: "com.example.clowntown",
                applicationIdentifier: "ABCDE12345.com.example.clowntown",
                associatedDomains: ["applinks:*.clowntown.example", "applinks:clowntown.example?mode=developer"],
                isManaged: true,
                scenes: []
            )
        ],
        associatedDomainsDevelopment: [
            "clowntown.example": "files/clowntown.json",
            "balloons.example": "http://127.0.0.1:8080",
        ]
    )

    @Test(arguments: [
        """
        name: tablet
        associatedDomainsDevelopment:
          clowntown.example: files/clowntown.json
          balloons.example: http://127.0.0.1:8080
        apps:
          - bundleIdentifier: com.example.clowntown
            applicationIdentifier: ABCDE12345.com.example.clowntown
            associatedDomains:
              - applinks:*.clowntown.example
              - applinks:clowntown.example?mode=developer
            isManaged: true
            scenes: []
        """,
        #"""
        {"name": "tablet",
         "associatedDomainsDevelopment":
           {"clowntown.example": "files\/clowntown.json", "balloons.example": "http://127.0.0.1:8080"},
         "apps": [{"bundleIdentifier": "com.example.clowntown", "isManaged": true, "scenes": [],
           "applicationIdentifier": "ABCDE12345.com.example.clowntown",
           "associatedDomains": ["applinks:*.clowntown.example", "applinks:clowntown.example?mode=developer"]}]}
        """#,
    ])
    func associatedDomainsAreRead(_ text: String) throws {
        #expect(try StrictYAML.device(text) == Self.expected)
    }

    @Test func appHasNoAssociatedDomainsByDefault() throws {
        let device = try StrictYAML.device(DeviceDescription.yaml(app: ""))
        #expect(device.associatedDomainsDevelopment == nil)
        #expect(device.apps.map(\.associatedDomains) == [[]])
        #expect(device.apps.map(\.isManaged) == [false])
        #expect(device.apps.map(\.applicationIdentifier) == [nil])
    }

    @Test(arguments: ["{}", "{clowntown.example: a.json}", #"{"x": "y", "*.z": ""}"#])
    func anyDomainMayHaveAReplacement(_ standIns: String) throws {
        let device = try StrictYAML.device("name: a\napps: []\nassociatedDomainsDevelopment: \(standIns)")
        #expect(device.associatedDomainsDevelopment != nil)
    }

    @Test(
        arguments: [
            ("associatedDomains: applinks:a.example", "'apps[0].associatedDomains' must be"),
            ("associatedDomains: [{a: b}]", "'apps[0].associatedDomains[0]' must be"),
            ("isManaged: 1", "'apps[0].isManaged' must be true or false"),
            ("applicationIdentifier: [a]", "'apps[0].applicationIdentifier' must be"),
            ("associatedDomain: []", "'apps[0].associatedDomain' is not a known key here"),
        ]
    )
    func errorIsNamedWithItsPlace(_ lines: String, _ reason: String) throws {
        let error = try #require(StrictYAML.error(in: DeviceDescription.yaml(app: lines)))
        #expect(error.contains(reason), "\(error)")
    }

    @Test(
        arguments: [
            ("{a.example: [b]}", "'associatedDomainsDevelopment.a.example' must be"),
            ("[a.example]", "'associatedDomainsDevelopment' must be"),
            ("a.json", "'associatedDomainsDevelopment' must be"),
        ]
    )
    func replacementOfTheWrongTypeIsNamed(_ standIns: String, _ reason: String) throws {
        let text = "name: a\napps: []\nassociatedDomainsDevelopment: \(standIns)"
        let error = try #require(StrictYAML.error(in: text))
        #expect(error.contains(reason), "\(error)")
    }
}
