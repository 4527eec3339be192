import Foundation
import JSONScanning
import SceneCallbacks
import Testing
import WaypostSchema

/// The object `callbacks` of an app file.
@Suite struct AppImplementationTests {
    static let text = """
        {
          "lifeCycle": "uiScene",
          "sdk": 27,
          "supportsMultipleScenes": true,
          "appDelegate": ["didFinishLaunching", "didReceiveRemoteNotification"],
          "sceneDelegate": ["willConnect", "openURLContexts", "performAction"],
          "notificationCenter": {"methods": ["didReceive"], "setIn": "didFinishLaunching"},
          "views": ["onOpenURL"],
          "appIntents": ["perform"],
          "reads": ["urlContexts", "shortcutItem", "notificationResponse"],
          "deduplicates": ["notificationResponse"],
          "practices": ["usesKeyWindow"]
        }
        """

    static let app = AppImplementation(
        lifeCycle: .uiScene,
        sdk: 27,
        supportsMultipleScenes: true,
        appDelegate: [.didFinishLaunching, .didReceiveRemoteNotification],
        sceneDelegate: [.willConnect, .openURLContexts, .performAction],
        notificationCenter: CenterDelegate(methods: [.didReceive], setIn: .didFinishLaunching),
        views: [.onOpenURL],
        appIntents: [.perform],
        reads: [.urlContexts, .shortcutItem, .notificationResponse],
        deduplicates: [.notificationResponse],
        practices: [.usesKeyWindow]
    )

    @Test func everyMemberIsRead() throws {
        let document = try JSONDocument(Array(Self.text.utf8))
        #expect(try DocumentDecoder.decodeStrictly(AppImplementation.self, from: document.root) == Self.app)
    }

    @Test func writtenValueIsReadAgain() throws {
        let data = try JSONEncoder().encode(Self.app)
        #expect(try DocumentDecoder.decode(AppImplementation.self, from: data) == Self.app)
    }

    @Test func absentMemberIsUnknown() throws {
        let app = try DocumentDecoder.decode(AppImplementation.self, from: Array("{}".utf8))
        #expect(app == AppImplementation(lifeCycle: .uiScene))
        #expect(app.findings.isEmpty)
    }

    @Test(
        arguments: [
            (#"{"sceneDelegate":["openURLContext"]}"#, "openURLContexts"),
            (#"{"appDelegate":["didFinishLaunchin"]}"#, "didFinishLaunching"),
            (#"{"reads":["urlContext"]}"#, "urlContexts"), (#"{"views":["onOpenUrl"]}"#, "onOpenURL"),
        ]
    )
    func misspelledNameIsRefusedWithASuggestion(_ text: String, suggestion: String) throws {
        let error = try #require(throws: DecodingError.self) {
            try DocumentDecoder.decode(AppImplementation.self, from: Array(text.utf8))
        }
        #expect("\(error)".contains("did you mean '\(suggestion)'?"))
    }

    @Test(
        arguments: [
            (.willFinishLaunching, .notRunning, true), (.didFinishLaunching, .notRunning, true),
            (.willConnect, .notRunning, nil), (.later, .notRunning, false), (.never, .notRunning, false),
            (.willConnect, .background, true), (.later, .background, true), (.never, .background, false),
        ] as [(DelegateSetting, InitialState, Bool?)]
    )
    func responseArrivesIfTheDelegateIsSetInTime(
        _ setting: DelegateSetting,
        state: InitialState,
        isHandled: Bool?
    ) throws {
        let app = AppImplementation(notificationCenter: CenterDelegate(methods: [.didReceive], setIn: setting))
        let steps = CallbackSequence(for: .notificationTap, in: state, of: app).steps
        let step = try #require(steps.first { $0.callback == .center(.didReceive) })
        #expect(step.isHandled == isHandled)
    }

    @Test func remoteNotificationReplacesTheResponseWithoutADelegate() {
        let app = AppImplementation(
            lifeCycle: .appDelegate,
            appDelegate: [.didFinishLaunching, .didReceiveRemoteNotification],
            notificationCenter: CenterDelegate(setIn: .never),
            reads: []
        )
        let sequence = CallbackSequence(for: .notificationTap, in: .background, of: app)
        #expect(sequence.deliveries.map(\.callback) == [.app(.didReceiveRemoteNotification)])
        #expect(sequence.fate == .once)
    }

    @Test func namesAndSignaturesAreUnique() {
        #expect(Set(Callback.all.map(\.name)).count == Callback.all.count)
        #expect(Set(Callback.all.map(\.signature)).count == Callback.all.count)
    }
}
