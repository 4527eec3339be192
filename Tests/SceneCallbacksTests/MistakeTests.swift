import Testing

@testable import SceneCallbacks
import WaypostSchema

/// Each mistake is found, and not in the app that corrects it.
@Suite struct MistakeTests {
    /// A mistake: an app that makes it, the correction, and an event that shows it.
    struct Case: Sendable, CustomTestStringConvertible {
        let code: MistakeCode
        let app: AppImplementation
        let corrected: AppImplementation
        let cause: EventCause
        let state: InitialState

        /// A part of the message: the method to implement.
        let advice: String

        var testDescription: String { code.rawValue }
    }

    static let cases: [Case] = [
        Case(
            .coldURLIgnored,
            app: AppImplementation(sceneDelegate: [.willConnect, .openURLContexts], reads: []),
            corrected: AppImplementation(sceneDelegate: [.willConnect, .openURLContexts], reads: [.urlContexts]),
            by: .customURL,
            advice: "scene(_:willConnectTo:options:)"
        ),
        Case(
            .coldLinkIgnored,
            app: AppImplementation(sceneDelegate: [.willConnect, .continueUserActivity], reads: [.urlContexts]),
            corrected: AppImplementation(
                sceneDelegate: [.willConnect, .continueUserActivity],
                reads: [.userActivities]
            ),
            by: .universalLink,
            advice: "scene(_:willConnectTo:options:)"
        ),
        Case(
            .coldQuickActionIgnored,
            app: AppImplementation(sceneDelegate: [.willConnect, .performAction], reads: []),
            corrected: AppImplementation(sceneDelegate: [.willConnect, .performAction], reads: [.shortcutItem]),
            by: .quickAction,
            advice: "sceneDidBecomeActive(_:)"
        ),
        Case(
            .coldURLIgnored,
            app: AppImplementation(sceneDelegate: [.willConnect, .openURLContexts], reads: []),
            corrected: AppImplementation(sceneDelegate: [.willConnect, .openURLContexts], reads: [.urlContexts]),
            by: .widgetURL,
            in: .disconnected,
            advice: "scene(_:willConnectTo:options:)"
        ),
        Case(
            .coldShareIgnored,
            app: AppImplementation(sceneDelegate: [.willConnect, .userDidAcceptCloudKitShare], reads: []),
            corrected: AppImplementation(
                sceneDelegate: [.willConnect, .userDidAcceptCloudKitShare],
                reads: [.cloudKitShareMetadata]
            ),
            by: .cloudKitShare,
            advice: "scene(_:willConnectTo:options:)"
        ),
        Case(
            .swiftUILinkInWrongPlace,
            app: AppImplementation(lifeCycle: .swiftUI, views: [.onContinueUserActivity]),
            corrected: AppImplementation(lifeCycle: .swiftUI, views: [.onContinueUserActivity, .onOpenURL]),
            by: .universalLink,
            advice: "onOpenURL(perform:)"
        ),
        Case(
            .swiftUILinkInWrongPlace,
            app: AppImplementation(
                lifeCycle: .swiftUIWithSceneDelegate,
                sceneDelegate: [.willConnect, .continueUserActivity],
                views: []
            ),
            corrected: AppImplementation(
                lifeCycle: .swiftUIWithSceneDelegate,
                sceneDelegate: [.willConnect, .continueUserActivity],
                views: [.onOpenURL]
            ),
            by: .universalLink,
            in: .background,
            advice: "onOpenURL(perform:)"
        ),
        Case(
            .swiftUIQuickAction,
            app: AppImplementation(
                lifeCycle: .swiftUIWithAdaptor,
                appDelegate: [.didFinishLaunching, .performAction]
            ),
            corrected: AppImplementation(
                lifeCycle: .swiftUIWithSceneDelegate,
                appDelegate: [.didFinishLaunching, .configurationForConnecting],
                sceneDelegate: [.willConnect, .performAction],
                reads: [.configurationShortcutItem]
            ),
            by: .quickAction,
            in: .background,
            advice: "windowScene(_:performActionFor:completionHandler:)"
        ),
        Case(
            .swiftUIQuickAction,
            app: AppImplementation(
                lifeCycle: .swiftUIWithSceneDelegate,
                sceneDelegate: [.willConnect, .performAction],
                reads: [.shortcutItem]
            ),
            corrected: AppImplementation(
                lifeCycle: .swiftUIWithSceneDelegate,
                sceneDelegate: [.willConnect, .performAction],
                reads: [.configurationShortcutItem]
            ),
            by: .quickAction,
            advice: "application(_:configurationForConnecting:options:)"
        ),
        Case(
            .intentNeedsMultipleScenes,
            app: AppImplementation(
                supportsMultipleScenes: false,
                sceneDelegate: [.willConnect, .willPerformAppIntent]
            ),
            corrected: AppImplementation(
                supportsMultipleScenes: true,
                sceneDelegate: [.willConnect, .willPerformAppIntent],
                appIntents: [.perform]
            ),
            by: .appIntent,
            advice: "scene(_:willPerformAppIntent:)"
        ),
        Case(
            .intentNeedsMultipleScenes,
            app: AppImplementation(supportsMultipleScenes: false, appIntents: [.performNavigation, .perform]),
            corrected: AppImplementation(supportsMultipleScenes: true, appIntents: [.performNavigation, .perform]),
            by: .appIntent,
            advice: "UIApplicationSupportsMultipleScenes"
        ),
        Case(
            .intentNeedsMultipleScenes,
            app: AppImplementation(
                lifeCycle: .swiftUI,
                supportsMultipleScenes: false,
                views: [.onAppIntentExecution]
            ),
            corrected: AppImplementation(
                lifeCycle: .swiftUI,
                supportsMultipleScenes: true,
                views: [.onAppIntentExecution]
            ),
            by: .appIntent,
            in: .background,
            advice: "UIApplicationSupportsMultipleScenes"
        ),
        Case(
            .launchOptionsInSceneApp,
            app: AppImplementation(reads: [.launchOptions]),
            corrected: AppImplementation(reads: [.urlContexts]),
            by: .customURL,
            advice: "scene(_:willConnectTo:options:)"
        ),
        Case(
            .appDelegateEventCallback,
            app: AppImplementation(appDelegate: [.openURL], sceneDelegate: [.willConnect]),
            corrected: AppImplementation(
                appDelegate: [],
                sceneDelegate: [.willConnect, .openURLContexts],
                reads: [.urlContexts]
            ),
            by: .customURL,
            in: .background,
            advice: "scene(_:openURLContexts:)"
        ),
        Case(
            .appDelegateLifeCycleCallback,
            app: AppImplementation(appDelegate: [.didBecomeActive], sceneDelegate: [.willConnect]),
            corrected: AppImplementation(appDelegate: [], sceneDelegate: [.willConnect, .didBecomeActive]),
            by: .icon,
            advice: "sceneDidBecomeActive(_:)"
        ),
        Case(
            .notificationDelegateLate,
            app: AppImplementation(notificationCenter: CenterDelegate(methods: [.didReceive], setIn: .later)),
            corrected: AppImplementation(
                notificationCenter: CenterDelegate(methods: [.didReceive], setIn: .didFinishLaunching)
            ),
            by: .notificationTap,
            advice: "application(_:didFinishLaunchingWithOptions:)"
        ),
        Case(
            .notificationDelegateLate,
            app: AppImplementation(notificationCenter: CenterDelegate(methods: [.didReceive], setIn: .willConnect)),
            corrected: AppImplementation(
                notificationCenter: CenterDelegate(methods: [.didReceive], setIn: .willFinishLaunching)
            ),
            by: .dismissal,
            advice: "application(_:didFinishLaunchingWithOptions:)"
        ),
        Case(
            .responseDeliveredTwice,
            app: responding(reads: [.notificationResponse], deduplicates: []),
            corrected: responding(reads: [.notificationResponse], deduplicates: [.notificationResponse]),
            by: .notificationTap,
            advice: "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        ),
        Case(
            .responseDeliveredTwice,
            app: responding(reads: [.notificationResponse], deduplicates: []),
            corrected: responding(reads: [], deduplicates: []),
            by: .foregroundText,
            in: .disconnected,
            advice: "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        ),
        Case(
            .responseSourceUnreliable,
            app: AppImplementation(notificationCenter: CenterDelegate(methods: []), reads: [.notificationResponse]),
            corrected: responding(reads: [], deduplicates: []),
            by: .notificationTap,
            in: .background,
            advice: "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        ),
        Case(
            .handoffActivityExpectedAtConnect,
            app: AppImplementation(
                sceneDelegate: [.willConnect],
                reads: [.handoffUserActivityType, .userActivities]
            ),
            corrected: AppImplementation(
                sceneDelegate: [.willConnect, .continueUserActivity],
                reads: [.handoffUserActivityType, .userActivities]
            ),
            by: .handoff,
            advice: "scene(_:continue:)"
        ),
        Case(
            .noSceneLifeCycle,
            app: AppImplementation(lifeCycle: .appDelegate, sdk: 27),
            corrected: AppImplementation(lifeCycle: .uiScene, sdk: 27),
            by: .icon,
            advice: "scene(_:willConnectTo:options:)"
        ),
        habit(.notificationDelegateReplaced, .replacesCenterDelegate, by: .notificationTap, in: .foregroundActive),
        habit(.eventBeforeReady, .handlesEventsBeforeReady, by: .customURL, in: .notRunning),
        habit(.restorationRace, .restoresAfterEvent, by: .universalLink, in: .notRunning),
        habit(.wrongWindow, .usesKeyWindow, by: .notificationTap, in: .besideOtherScene),
        habit(.oncePerProcessSetup, .createsInterfaceOnce, by: .icon, in: .disconnected),
        habit(.backgroundLaunchWithoutScene, .needsSceneInBackground, by: .silentPush, in: .notRunning),
        habit(.firstOfSet, .readsFirstOnly, by: .customURL, in: .notRunning),
        habit(.configurationExpectedAlways, .setsUpInConfiguration, by: .icon, in: .notRunning),
        habit(.earlyReturnDropsOptions, .returnsAfterFirstOption, by: .quickAction, in: .notRunning),
        habit(.windowWithoutScene, .createsWindowWithoutScene, by: .icon, in: .notRunning),
        habit(.assumesPhoneSceneFirst, .startsInWindowScene, by: .icon, in: .notRunning),
        habit(.severalWidgetURLs, .setsSeveralWidgetURLs, by: .widgetURL, in: .background),
        habit(.activityTypeNotDeclared, .omitsActivityTypes, by: .handoff, in: .background),
        habit(.completionHandlerMissing, .omitsCompletionHandlers, by: .silentPush, in: .background),
        habit(.restorationNilWhileLocked, .treatsMissingStateAsFirstLaunch, by: .restoration, in: .notRunning),
    ]

    @Test(arguments: cases) func mistakeIsFoundWithAndWithoutItsEvent(_ mistake: Case) {
        #expect(mistake.app.findings.map(\.code) == [mistake.code])
        let sequence = CallbackSequence(for: mistake.cause, in: mistake.state, of: mistake.app)
        #expect(sequence.findings.map(\.code) == [mistake.code])
        #expect(sequence.findings.allSatisfy { $0.message.contains(mistake.advice) && $0.source.mark != .ours })
    }

    @Test(arguments: cases) func correctionHasNoFinding(_ mistake: Case) {
        #expect(mistake.corrected.findings.isEmpty)
    }

    @Test func everyCodeHasACase() {
        #expect(Set(Self.cases.map(\.code)) == Set(MistakeCode.allCases))
        #expect(Set(MistakeRule.all.map(\.code)) == Set(MistakeCode.allCases))
    }

    @Test(arguments: ReplacedMethod.all) func replacedMethodIsFound(_ row: ReplacedMethod) {
        let methods = SceneDelegateMethod.allCases.filter { $0 != row.new }
        let app = AppImplementation(appDelegate: [row.old], sceneDelegate: methods)
        let messages = app.findings.filter { $0.message.contains(Callback.app(row.old).signature) }
        #expect(messages.count == 1)
        #expect(messages.allSatisfy { $0.message.contains(Callback.scene(row.new).signature) })
    }

    /// A mistake that loses or doubles an event shows in its fate, too.
    @Test(
        arguments: [
            (.coldURLIgnored, .lost), (.coldLinkIgnored, .lost), (.coldQuickActionIgnored, .lost),
            (.coldShareIgnored, .lost), (.swiftUILinkInWrongPlace, .lost), (.swiftUIQuickAction, .lost),
            (.intentNeedsMultipleScenes, .lost), (.responseDeliveredTwice, .twice),
        ] as [(MistakeCode, EventFate)]
    )
    func fateOfTheEventIsThatOfTheMistake(_ code: MistakeCode, fate: EventFate) throws {
        let mistake = try #require(Self.cases.first { $0.code == code })
        #expect(CallbackSequence(for: mistake.cause, in: mistake.state, of: mistake.app).fate == fate)
        #expect(CallbackSequence(for: mistake.cause, in: mistake.state, of: mistake.corrected).fate == .once)
    }

    /// A connected scene gets the event in a call, so that it is not lost there.
    @Test func coldMistakeDoesNotConcernAConnectedScene() {
        let app = AppImplementation(sceneDelegate: [.willConnect, .openURLContexts], reads: [])
        let sequence = CallbackSequence(for: .customURL, in: .background, of: app)
        #expect(sequence.findings.isEmpty)
        #expect(sequence.fate == .once)
    }

    /// Returns an app that handles responses to notifications.
    private static func responding(reads: [StartOption], deduplicates: [StartOption]) -> AppImplementation {
        AppImplementation(
            sceneDelegate: [.willConnect],
            notificationCenter: CenterDelegate(methods: [.didReceive], setIn: .didFinishLaunching),
            reads: reads,
            deduplicates: deduplicates
        )
    }

    /// Returns the case of a habit, which the app gives up.
    private static func habit(
        _ code: MistakeCode,
        _ practice: Practice,
        by cause: EventCause,
        in state: InitialState
    ) -> Case {
        Case(
            code,
            app: AppImplementation(practices: [practice]),
            corrected: AppImplementation(practices: []),
            by: cause,
            in: state,
            advice: "(_:"
        )
    }
}

extension MistakeTests.Case {
    init(
        _ code: MistakeCode,
        app: AppImplementation,
        corrected: AppImplementation,
        by cause: EventCause,
        in state: InitialState = .notRunning,
        advice: String
    ) {
        self.init(code: code, app: app, corrected: corrected, cause: cause, state: state, advice: advice)
    }
}
