import DeviceModel
import Testing
import WaypostSchema

@Suite struct DescriptionErrorTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var apps: [AppDescription]
        var error: DescriptionError
    }

    private static let overview = SceneSession.example("overview")

    private static func app(_ identifier: BundleIdentifier, _ scenes: SceneSession...) -> AppDescription {
        AppDescription(bundleIdentifier: identifier, scenes: scenes)
    }

    @Test(arguments: ["", "iOS 26", "26.4b", "1.2.3.4"] as [SystemVersion])
    func systemMustBeAVersion(_ system: SystemVersion) {
        let error = DescriptionError.unusableSystem(system)
        #expect(throws: error) { try DeviceModel(DeviceDescription(name: "iPhone", system: system, apps: [])) }
        #expect("\(error)" == "the system '\(system)' is not a version of iOS, such as 26.4")
    }

    @Test func deviceNeedsAName() {
        #expect(throws: DescriptionError.noName) { try DeviceModel(DeviceDescription(name: "", apps: [])) }
    }

    @Test(arguments: [
        Case(
            testDescription: "repeated app",
            apps: [app("a"), app("b", overview), app("a", overview)],
            error: .repeatedApp("a")
        ),
        Case(
            testDescription: "repeated scene",
            apps: [app("a", overview), app("b", overview, .example("crusty"), overview)],
            error: .repeatedScene("b", "overview")
        ),
        Case(
            testDescription: "can predicate that cannot be parsed",
            apps: [app("a", overview, .example("crusty", can: "SELF BEGINWITH 'a'"))],
            error: .unusableCondition(
                "a",
                "crusty",
                "canActivateForTargetContentIdentifierPredicate, offset 5: "
                    + "found 'BEGINWITH' where an operator, such as BEGINSWITH, is expected"
            )
        ),
        Case(
            testDescription: "condition in both forms",
            apps: [
                app(
                    "a",
                    SceneSession(
                        persistentIdentifier: "crusty",
                        activationConditions: ActivationConditions(can: "SELF == 'crusty'", allowing: ["crusty"])
                    )
                )
            ],
            error: .unusableCondition(
                "a",
                "crusty",
                "canActivateForTargetContentIdentifierPredicate, offset 0: "
                    + "'allowing' is the same condition; write only one of them"
            )
        ),
        Case(
            testDescription: "repeated declaration",
            apps: [
                AppDescription(
                    bundleIdentifier: "a",
                    scenes: [],
                    declarations: [
                        SceneDeclaration(name: "main", kind: .windowGroup),
                        SceneDeclaration(name: "main", kind: .window),
                    ]
                )
            ],
            error: .repeatedDeclaration("a", "main")
        ),
        Case(
            testDescription: "forbidden prefers predicate",
            apps: [app("a", .example("crusty", prefers: "length == 5"))],
            error: .unusableCondition(
                "a",
                "crusty",
                "prefersToActivateForTargetContentIdentifierPredicate, offset 0: "
                    + "found the key path 'length': activation conditions can use no key path but SELF; "
                    + "SELF is accepted, or the string \"length\" in quotation marks "
                    + "(Apple's restriction: conditions compare the content itself, and not its properties)"
            )
        ),
    ])
    func invalidDeviceIsRefused(_ example: Case) {
        let description = DeviceDescription(name: "tablet", apps: example.apps)
        #expect(throws: example.error) { try DeviceModel(description) }
    }

    @Test(
        arguments: [
            (.repeatedApp("a"), "the app a is listed twice"),
            (.repeatedScene("a", "s"), "app a: the scene s is listed twice"),
            (.unusableCondition("a", "s", "reason"), "app a, scene s: reason"),
            (.repeatedDeclaration("a", "main"), "app a: the declaration 'main' is listed twice"),
            (.unusableDeclaration("a", "main", "reason"), "app a, declaration 'main': reason"),
            (
                .unusableURLScheme("a", "HTTPS"),
                "app a: the URL scheme 'HTTPS' is of websites, which an app opens by associatedDomains"
            ),
            (
                .unusableURLScheme("a", "b://"),
                "app a: 'b://' is not a URL scheme, such as clowntown: a letter, and then letters, digits, "
                    + "'+', '-' and '.'"
            ),
        ] as [(DescriptionError, String)]
    )
    func errorNamesThePlace(_ error: DescriptionError, _ sentence: String) {
        #expect(String(describing: error) == sentence)
    }

    @Test(arguments: ["http", "https", "HTTPS", "clowntown://", "clowntown:", "", "1clown", "clown town", "clöwn"])
    func schemeThatNeverMatchesIsRefused(_ scheme: String) {
        let app = AppDescription(bundleIdentifier: "a", scenes: [], urlSchemes: ["clowntown", scheme])
        #expect(throws: DescriptionError.unusableURLScheme("a", scheme)) {
            try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
        }
    }

    @Test(arguments: ["clowntown", "Tents", "c", "clown+town-2.beta", "httpss"])
    func schemeThatURLsCanHaveIsAccepted(_ scheme: String) throws {
        let app = AppDescription(bundleIdentifier: "a", scenes: [], urlSchemes: [scheme])
        let device = try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
        #expect(device.app("a")?.urlSchemes == [scheme])
    }

    @Test func scenesOfTwoAppsMayHaveTheSameName() throws {
        let apps = [Self.app("a", Self.overview), Self.app("b", Self.overview)]
        let description = DeviceDescription(name: "tablet", apps: apps)
        #expect(try DeviceModel(description).description == description)
    }

    @Test func deviceWithoutAppsIsValid() throws {
        let device = try DeviceModel(DeviceDescription(name: "empty", apps: []))
        #expect(device.name == "empty")
        #expect(device.topics == [.activities, .messages])
        #expect(device.notifications.isEmpty)
    }

    @Test func newDeviceEqualsItsDescription() throws {
        let shuffled = DeviceDescription(name: "tablet", apps: DeviceDescription.example.apps.reversed())
        #expect(try DeviceModel(shuffled).description == .example)
    }
}
