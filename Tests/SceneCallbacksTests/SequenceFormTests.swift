import Foundation
import JSONScanning
import SceneCallbacks
import Testing
import WaypostSchema

/// A sequence as text and as JSON.
@Suite struct SequenceFormTests {
    static let app = AppImplementation(
        appDelegate: [.didFinishLaunching],
        sceneDelegate: [.willConnect, .continueUserActivity],
        reads: []
    )

    @Test func textHasCallsSourcesAndFindings() {
        let sequence = CallbackSequence(for: .universalLink, in: .disconnected, of: Self.app)
        #expect(
            sequence.text == """
                a universal link, running, scene disconnected: the app loses the event
                    1. scene(_:willConnectTo:options:), connectionOptions.userActivities (the event), which the app \
                does not handle (documented; its place: 4 reports)
                    2. sceneWillEnterForeground(_:) (documented)
                    3. sceneDidBecomeActive(_:) (documented)
                    not called: scene(_:continue:): the scene connects for the event, which is in \
                connectionOptions.userActivities (documented)
                    not called: application(_:didFinishLaunchingWithOptions:): the process runs already; a scene \
                connects more than once in its life (4 reports)
                    not called: applicationDidBecomeActive(_:): the app has scenes, so UIKit calls \
                sceneDidBecomeActive(_:) (documented)
                    not called: applicationWillEnterForeground(_:): the app has scenes, so UIKit calls \
                sceneWillEnterForeground(_:) (documented)
                    not called: application(_:continue:restorationHandler:): the app has scenes, so UIKit calls \
                scene(_:continue:), or sets connectionOptions.userActivities (documented)
                ! a link or activity that connects a scene is lost: read connectionOptions.userActivities in \
                scene(_:willConnectTo:options:), because scene(_:continue:) is not called then [coldLinkIgnored]
                """
        )
    }

    @Test func textSaysWhatCannotHappen() {
        let sequence = CallbackSequence(for: .restoration, in: .newScene, of: Self.app)
        #expect(
            sequence.text
                == "state restoration, running, new scene: cannot happen: a new session has no saved state"
        )
    }

    @Test func jsonHasTheMembersOfAStep() throws {
        let sequence = CallbackSequence(for: .universalLink, in: .disconnected, of: Self.app)
        let document = try DocumentDecoder.decode(JSONValue.self, from: try JSONEncoder().encode(sequence))
        guard case .array(let calls)? = document["calls"] else {
            Issue.record("there are no calls")
            return
        }
        #expect(
            calls.first
                == .object([
                    "object": .string("sceneDelegate"),
                    "scene": .string("chosen"),
                    "call": .string("scene(_:willConnectTo:options:)"),
                    "argument": .string("connectionOptions.userActivities"),
                    "part": .string("event"),
                    "state": .string("unattached"),
                    "reason": .string("connect"),
                    "source": .object([
                        "mark": .string("documented"),
                        "reference": .string("Supporting universal links in your app"),
                    ]),
                    "order": .object([
                        "mark": .string("observed"),
                        "reports": .integer(4),
                        "reference": .string(
                            "wordpress-mobile/WordPress-iOS#25643, tauri-apps/tao#1261, "
                                + "customerio/customerio-ios#1118, "
                                + "AzureAD/microsoft-authentication-library-for-objc#3070"
                        ),
                    ]),
                    "since": .integer(13),
                    "isHandled": .bool(false),
                ])
        )
        #expect(document["fate"] == .string("lost"))
        #expect(document["deliveries"] == .array([]))
    }

    @Test func jsonSaysWhatCannotHappen() throws {
        let sequence = CallbackSequence(for: .restoration, in: .newScene, of: Self.app)
        let document = try DocumentDecoder.decode(JSONValue.self, from: try JSONEncoder().encode(sequence))
        #expect(
            document
                == .object([
                    "lifeCycle": .string("uiScene"),
                    "cause": .string("restoration"),
                    "state": .string("newScene"),
                    "cannotHappen": .string("a new session has no saved state"),
                ])
        )
    }

    @Test func deliveriesAreNamedAsInAnExpectation() {
        let sequence = CallbackSequence(for: .notificationTap, in: .notRunning, of: .complete(.uiScene))
        #expect(
            sequence.deliveries.map(\.delivery) == [
                "scene(_:willConnectTo:options:) connectionOptions.notificationResponse",
                "userNotificationCenter(_:didReceive:withCompletionHandler:) response",
            ]
        )
    }

    @Test(
        arguments: [
            (AppImplementation(), ""),
            (AppImplementation(sdk: 27), ": whether the app receives the event is unknown without 'sceneDelegate'"),
            (
                AppImplementation(sceneDelegate: [.willConnect]),
                ": whether the app receives the event is unknown without 'reads'"
            ),
            (
                AppImplementation(sceneDelegate: [.willConnect], reads: [.userActivities]),
                ": the app receives the event"
            ),
        ]
    )
    func headingSaysWhatIsMissing(_ app: AppImplementation, _ phrase: String) {
        let text = CallbackSequence(for: .universalLink, in: .notRunning, of: app).text
        #expect(text.prefix { $0 != "\n" } == "a universal link, not running, session saved\(phrase)")
    }

    @Test func responseThatComesTwiceNeedsToKnowWhetherTheAppRemovesIt() {
        let app = AppImplementation(
            sceneDelegate: [.willConnect],
            notificationCenter: CenterDelegate(methods: [.didReceive], setIn: .didFinishLaunching),
            reads: [.notificationResponse]
        )
        let text = CallbackSequence(for: .notificationTap, in: .notRunning, of: app).text
        #expect(text.contains("is unknown without 'deduplicates'"))
    }
}
