import DeviceFiles
import SchemaFiles
import Testing
import WaypostSchema

/// Values that look like values of another type.
@Suite struct ScalarTests {
    @Test(arguments: [
        "12", "-1", "1.50", "0x1F", "010", "1e3", "1_000", "1:30", ".inf", "2026-01-01", "yes", "no", "on", "true",
        "False",
        "y", "<<", "=",
        "59:59:59:59:59:59:59:59:59:59:59", "-59:59:59:59:59:59:59:59:59:59:59.5",
        "9_9:59:59:59:59:59:59:59:59:59:59:59",
    ])
    func plainTextKeepsItsSpelling(_ text: String) throws {
        #expect(try DeviceText.device("name: \(text)\napps: []").name == text)
        #expect(try DeviceText.scene("title: \(text)")?.title == text)
    }

    @Test(arguments: ["12", "yes", "null", "~", "", "- a", "a: b", "#"])
    func quotedTextIsText(_ text: String) throws {
        #expect(try DeviceText.device("name: '\(text)'\napps: []").name == text)
        #expect(try DeviceText.scene("title: \"\(text)\"")?.title == text)
    }

    @Test func identifierMayLookLikeANumber() throws {
        let device = try DeviceText.device(
            "{name: 1, apps: [{bundleIdentifier: 2, scenes: [{persistentIdentifier: 3}]}]}"
        )
        #expect(device.apps.first?.bundleIdentifier == "2")
        #expect(device.apps.first?.scenes.first?.persistentIdentifier == "3")
    }

    @Test func predicateMayLookLikeANumber() throws {
        let scene = try DeviceText.scene("activationConditions: {canActivateForTargetContentIdentifierPredicate: 12}")
        #expect(scene?.activationConditions.canActivateForTargetContentIdentifierPredicate == "12")
    }

    @Test(
        arguments: [
            ("true", true), ("True", true), ("TRUE", true), ("false", false), ("False", false), ("FALSE", false),
        ] as [(String, Bool)]
    )
    func booleanIsSpelledAsInYAMLOnePointTwo(_ text: String, _ truth: Bool) throws {
        let device = try DeviceText.device(DeviceDescription.yaml(app: "supportsMultipleScenes: \(text)"))
        #expect(device.apps.first?.supportsMultipleScenes == truth)
    }

    @Test(
        arguments: [
            ("0", 0), ("-12", -12), ("+12", 12), ("1790000000000", 1_790_000_000_000), ("010", 10),
            ("9223372036854775807", .max),
        ] as [(String, Int)]
    )
    func wholeNumberIsDecimal(_ text: String, _ number: Int) throws {
        #expect(try DeviceText.scene("lastActivated: \(text)")?.lastActivated?.rawValue == number)
    }

    /// YAML 1.1 has numbers in base 60, of which eleven parts do not fit into 64 bits.
    @Test func textInBase60IsNoNumber() {
        let text = "59:59:59:59:59:59:59:59:59:59:59"
        #expect(
            DeviceText.problems(in: DeviceDescription.yaml(scene: "lastActivated: \(text)"))
                == ["6:24: 'lastActivated' is '\(text)'; it must be a whole number"]
        )
        #expect(
            DeviceText.problems(in: DeviceDescription.yaml(app: "supportsMultipleScenes: \(text)"))
                == ["5:29: 'supportsMultipleScenes' is '\(text)'; it must be true or false"]
        )
        let key = DeviceText.problems(in: "name: a\napps: []\n\(text): 1").first
        #expect(key?.hasPrefix("3:1: unknown key '\(text)'") == true)
    }

    @Test func aliasHasTheValueOfItsAnchor() throws {
        let device = try DeviceText.device("name: &it tablet\napps: [{bundleIdentifier: *it, scenes: []}]")
        #expect(device.apps.first?.bundleIdentifier == "tablet")
    }

    @Test func byteOrderMarkIsNotPartOfTheText() throws {
        #expect(try DeviceText.device("\u{FEFF}name: tablet\napps: []").name == "tablet")
    }
}
