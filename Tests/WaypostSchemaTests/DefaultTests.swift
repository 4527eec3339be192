import Testing
import WaypostSchema

/// Absent or `null` members have their defaults.
@Suite struct DefaultTests {
    @Test(arguments: [
        #"{}"#,
        #"{"canActivateForTargetContentIdentifierPredicate":null}"#,
        #"{"canActivateForTargetContentIdentifierPredicate":null,"#
            + #""prefersToActivateForTargetContentIdentifierPredicate":null}"#,
    ])
    func sceneCanDisplayAnythingAndPrefersNothing(_ text: String) throws {
        let conditions = try ActivationConditions(json: text)
        #expect(conditions.canActivateForTargetContentIdentifierPredicate == "TRUEPREDICATE")
        #expect(conditions.prefersToActivateForTargetContentIdentifierPredicate == "FALSEPREDICATE")
        #expect(conditions == ActivationConditions())
    }

    /// A reader that does not know the texts must not take the default predicate for the condition.
    @Test(
        arguments: [
            (
                ActivationConditions(allowing: ["a"]),
                ["allowing", "prefersToActivateForTargetContentIdentifierPredicate"]
            ),
            (
                ActivationConditions(can: "SELF == 'a'", preferring: ["a"]),
                ["canActivateForTargetContentIdentifierPredicate", "preferring"]
            ),
            // Arguments are kept with their predicate.
            (
                ActivationConditions(canArguments: [], prefersArguments: [], preferring: ["a"], allowing: ["a"]),
                [
                    "allowing", "canActivateForTargetContentIdentifierPredicate", "preferring",
                    "prefersToActivateForTargetContentIdentifierPredicate",
                ]
            ),
        ] as [(ActivationConditions, [String])]
    )
    func defaultPredicateBesideTextsIsLeftOut(_ conditions: ActivationConditions, members: [String]) throws {
        #expect(try JSONValue(json: conditions.json()).members.keys.sorted() == members)
    }

    @Test(arguments: [
        #"{"persistentIdentifier":"main"}"#,
        #"{"persistentIdentifier":"main","activationConditions":{}}"#,
        #"{"persistentIdentifier":"main","title":null,"state":null,"lastActivated":null,"activationConditions":null}"#,
    ])
    func sceneIsInTheBackgroundAndWasNeverActivated(_ text: String) throws {
        let scene = try SceneSession(json: text)
        #expect(scene.title == nil)
        #expect(scene.role == .windowApplication)
        #expect(scene.state == .background)
        #expect(scene.lastActivated == nil)
        #expect(scene.activationConditions == ActivationConditions())
        #expect(scene == SceneSession(persistentIdentifier: "main"))
    }

    @Test(arguments: [
        #"{"bundleIdentifier":"a","scenes":[]}"#,
        #"{"bundleIdentifier":"a","scenes":[],"supportsMultipleScenes":null}"#,
        #"{"bundleIdentifier":"a","scenes":[],"supportsMultipleScenes":true}"#,
    ])
    func appSupportsSeveralScenes(_ text: String) throws {
        let app = try AppDescription(json: text)
        #expect(app.supportsMultipleScenes)
        #expect(app == AppDescription(bundleIdentifier: "a", scenes: []))
    }

    @Test(arguments: [
        #"{"bundleIdentifier":"a","scenes":[]}"#,
        #"{"bundleIdentifier":"a","scenes":[],"applicationIdentifier":null,"associatedDomains":null,"isManaged":null}"#,
        #"{"bundleIdentifier":"a","scenes":[],"associatedDomains":[],"isManaged":false}"#,
    ])
    func appHasNoAssociatedDomainsAndIsNotManaged(_ text: String) throws {
        let app = try AppDescription(json: text)
        #expect(app.applicationIdentifier == nil)
        #expect(app.associatedDomains.isEmpty)
        #expect(!app.isManaged)
        #expect(app == AppDescription(bundleIdentifier: "a", scenes: []))
    }

    @Test(arguments: [
        #"{"bundleIdentifier":"a","scenes":[]}"#,
        #"{"bundleIdentifier":"a","scenes":[],"sharedWithYou":null}"#,
        #"{"bundleIdentifier":"a","scenes":[],"sharedWithYou":false}"#,
    ])
    func appHasNoSharedWithYouCapability(_ text: String) throws {
        let app = try AppDescription(json: text)
        #expect(!app.sharedWithYou)
        #expect(app == AppDescription(bundleIdentifier: "a", scenes: []))
    }

    @Test(arguments: [
        #"{"name":"a","apps":[]}"#,
        #"{"name":"a","apps":[],"pinnedIsAlwaysAvailable":null}"#,
        #"{"name":"a","apps":[],"pinnedIsAlwaysAvailable":true}"#,
    ])
    func pinnedLinkIsNotAlwaysAvailable(_ text: String) throws {
        let device = try DeviceDescription(json: text)
        #expect(device.pinnedIsAlwaysAvailable)
        #expect(device == DeviceDescription(name: "a", apps: []))
    }

    @Test(arguments: [
        #"{"name":"a","apps":[]}"#,
        #"{"name":"a","apps":[],"language":null,"preferredContentSizeCategory":null}"#,
        #"{"name":"a","apps":[],"language":"en","preferredContentSizeCategory":"large"}"#,
    ])
    func deviceIsInEnglishWithLargeText(_ text: String) throws {
        let device = try DeviceDescription(json: text)
        #expect(device.language == "en")
        #expect(device.preferredContentSizeCategory == .large)
        #expect(device == DeviceDescription(name: "a", apps: []))
    }

    /// An empty dictionary allows development, so more entries apply; absence does not.
    @Test(
        arguments: [
            (#"{"name":"a","apps":[]}"#, nil),
            (#"{"name":"a","apps":[],"associatedDomainsDevelopment":null}"#, nil),
            (#"{"name":"a","apps":[],"associatedDomainsDevelopment":{}}"#, [:]),
        ] as [(String, [String: String]?)]
    )
    func deviceAllowsNoDevelopment(_ text: String, _ development: [String: String]?) throws {
        let device = try DeviceDescription(json: text)
        #expect(device.associatedDomainsDevelopment == development)
        #expect(try DeviceDescription(json: device.json()) == device)
    }

    @Test func defaultsAreEncoded() throws {
        let app = AppDescription(bundleIdentifier: "a", scenes: [SceneSession(persistentIdentifier: "s")])
        let text = """
            {"associatedDomains":[],"bundleIdentifier":"a","dynamicShortcutItems":[],"isManaged":false,"scenes":[{"activationConditions":\
            {"canActivateForTargetContentIdentifierPredicate":"TRUEPREDICATE",\
            "prefersToActivateForTargetContentIdentifierPredicate":"FALSEPREDICATE"},\
            "persistentIdentifier":"s","role":"windowApplication","state":"background"}],"sharedWithYou":false,"shortcutItems":[],\
            "supportsMultipleScenes":true}
            """
        #expect(try app.json() == text)
        let device = """
            {"airplaneMode":false,"apps":[\(text)],"language":"en","lowPowerMode":false,"name":"iPad","pinnedIsAlwaysAvailable":true,\
            "preferredContentSizeCategory":"large","prefersOnlyAmongCapable":false}
            """
        #expect(try DeviceDescription(name: "iPad", apps: [app]).json() == device)
    }

    @Test(
        arguments: [
            ("ActivationConditions", "canActivateForTargetContentIdentifierPredicate", .string("TRUEPREDICATE")),
            ("ActivationConditions", "prefersToActivateForTargetContentIdentifierPredicate", .string("FALSEPREDICATE")),
            ("SceneSession", "role", .string("windowApplication")),
            ("SceneSession", "state", .string("background")),
            ("AppDescription", "associatedDomains", .array([])),
            ("AppDescription", "isManaged", .bool(false)),
            ("AppDescription", "sharedWithYou", .bool(false)),
            ("AppDescription", "supportsMultipleScenes", .bool(true)),
            ("DeviceDescription", "pinnedIsAlwaysAvailable", .bool(true)),
            ("DeviceDescription", "prefersOnlyAmongCapable", .bool(false)),
            ("DeviceDescription", "language", .string("en")),
            ("DeviceDescription", "preferredContentSizeCategory", .string("large")),
            ("AttributionPreferences", "displayContext", .string("summary")),
            ("AttributionPreferences", "horizontalAlignment", .string("default")),
            ("AttributionPreferences", "backgroundStyle", .string("default")),
            ("AttributionPreferences", "preferredMaxLayoutWidth", .integer(0)),
            ("AttributionPreferences", "supplementalMenu", .array([])),
        ] as [(String, String, JSONValue)]
    )
    func schemaStatesTheDefault(_ definition: String, _ property: String, _ value: JSONValue) throws {
        let place = try Schema.current().definitions[definition]?["properties"]?[property]
        #expect(place?["default"] == value)
    }
}
