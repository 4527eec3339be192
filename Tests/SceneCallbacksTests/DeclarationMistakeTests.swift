import Testing
import WaypostSchema

@testable import SceneCallbacks

/// Each mistake in the declarations of an app is found, and not in the app that corrects it.
@Suite struct DeclarationMistakeTests {
    /// An app with declarations, and the mistakes that it makes.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let declarations: [SceneDeclaration]?
        var scenes: [SceneSession] = []
        var supportsMultipleScenes = true
        let codes: [MistakeCode]

        var app: AppDescription {
            AppDescription(
                bundleIdentifier: "com.example.shop",
                supportsMultipleScenes: supportsMultipleScenes,
                scenes: scenes,
                declarations: declarations
            )
        }
    }

    static let cases = [
        Case(testDescription: "unknown", declarations: nil, codes: []),
        Case(testDescription: "none", declarations: [], codes: []),
        Case(testDescription: "all match", declarations: [group(["/orders/"])], codes: [.noDeclarationMatches]),
        Case(testDescription: "empty set", declarations: [group([])], codes: [.noDeclarationMatches]),
        Case(
            testDescription: "all windows match",
            declarations: [
                group(["/orders/"]), SceneDeclaration(name: "scripts", kind: .documentGroup),
                SceneDeclaration(name: "projector", kind: .configuration, role: "windowExternalDisplayNonInteractive"),
            ],
            codes: [.noDeclarationMatches]
        ),
        Case(testDescription: "wildcard", declarations: [group(["/orders/"]), group(["*"])], codes: []),
        Case(
            testDescription: "window without matching",
            declarations: [group(["/orders/"]), SceneDeclaration(name: "main", kind: .window)],
            codes: []
        ),
        Case(
            testDescription: "nothing is preferred",
            declarations: [group(allowing: ["/shelf/"])],
            codes: [.windowPerEvent]
        ),
        Case(
            testDescription: "nothing is preferred beside a match",
            declarations: [group(allowing: []), group(["/orders/"], allowing: ["/orders/"])],
            codes: [.windowPerEvent]
        ),
        Case(
            testDescription: "empty preference",
            declarations: [group(preferring: [], allowing: [])],
            codes: [.windowPerEvent]
        ),
        Case(testDescription: "any content is accepted", declarations: [group()], codes: []),
        Case(testDescription: "wildcard is accepted", declarations: [group(allowing: ["*"])], codes: []),
        Case(testDescription: "preference", declarations: [group(preferring: ["/orders/"], allowing: [])], codes: []),
        Case(
            testDescription: "preference of another declaration",
            declarations: [group(allowing: []), group(["/orders/"], preferring: ["/orders/"], allowing: [])],
            codes: []
        ),
        Case(
            testDescription: "preference of a scene",
            declarations: [group(allowing: [])],
            scenes: [
                SceneSession(
                    persistentIdentifier: "main",
                    activationConditions: ActivationConditions(prefers: "SELF == 'a'")
                )
            ],
            codes: []
        ),
        Case(
            testDescription: "preference of a scene in texts",
            declarations: [group(allowing: [])],
            scenes: [
                SceneSession(
                    persistentIdentifier: "main",
                    activationConditions: ActivationConditions(preferring: ["a"])
                )
            ],
            codes: []
        ),
        Case(
            testDescription: "one scene",
            declarations: [group(allowing: [])],
            supportsMultipleScenes: false,
            codes: []
        ),
        Case(
            testDescription: "configuration",
            declarations: [SceneDeclaration(name: "Default", kind: .configuration)],
            codes: []
        ),
    ]

    @Test(arguments: cases) func mistakesOfDeclarationsAreFound(_ example: Case) {
        #expect(example.app.callbackFindings.map(\.code) == example.codes)
        #expect(example.app.callbackFindings.allSatisfy { $0.message.contains("handlesExternalEvents(") })
    }

    /// The methods of the app are checked as without declarations.
    @Test func mistakesOfMethodsAreFoundBesides() {
        var app = AppDescription(bundleIdentifier: "com.example.shop", scenes: [])
        app.callbacks = AppImplementation(sceneDelegate: [.willConnect, .openURLContexts], reads: [])
        #expect(app.callbackFindings.map(\.code) == [.coldURLIgnored])
        app.declarations = [Self.group(["/orders/"])]
        #expect(app.callbackFindings.map(\.code) == [.coldURLIgnored, .noDeclarationMatches])
        #expect(app.callbacks?.findings.map(\.code) == [.coldURLIgnored])
    }

    private static func group(
        _ matching: [String]? = nil,
        preferring: [String]? = nil,
        allowing: [String]? = nil
    ) -> SceneDeclaration {
        SceneDeclaration(
            name: "\(matching ?? ["main"]) \(preferring ?? [])",
            kind: .windowGroup,
            matching: matching,
            preferring: preferring,
            allowing: allowing
        )
    }
}
