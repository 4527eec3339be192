import SceneCallbacks
import Testing
import WaypostSchema

/// The order of the calls, as the sources of each rule say.
@Suite struct CallOrderTests {
    static let launch = "app.willFinishLaunching app.didFinishLaunching"
    static let front = "scene.willEnterForeground scene.didBecomeActive"
    static let intent = "scene.willPerformAppIntent(appIntent)? intent.performNavigation(self)?"
    static let response = "center.didReceive(response)"
    static let connectWithResponse = "scene.willConnect(connectionOptions.notificationResponse)"
    static let text = "center.didReceive(response as UNTextInputNotificationResponse)"

    static let scenes: [(EventCause, InitialState, String)] = [
        (.icon, .notRunning, "\(launch) scene.willConnect \(front)"),
        (.icon, .notRunningNewScene, "\(launch) app.configurationForConnecting scene.willConnect \(front)"),
        (.icon, .prewarmed, "\(launch) scene.willConnect \(front)"),
        (.icon, .disconnected, "scene.willConnect \(front)"),
        (
            .icon, .newScene,
            "other.willResignActive app.configurationForConnecting scene.willConnect \(front) other.didEnterBackground?"
        ),
        (.icon, .background, front),
        (.icon, .behindOtherScene, "other.willResignActive \(front) other.didEnterBackground?"),
        (.notificationTap, .notRunning, "\(launch) \(connectWithResponse) \(response) \(front)"),
        (.notificationTap, .disconnected, "\(connectWithResponse) \(response) \(front)"),
        (.notificationTap, .background, "scene.willEnterForeground \(response) scene.didBecomeActive"),
        (.notificationTap, .besideOtherScene, "other.willResignActive \(response) scene.didBecomeActive"),
        (.notificationTap, .foregroundInactive, "\(response) scene.didBecomeActive"),
        (.notificationTap, .foregroundActive, response),
        (.foregroundAction, .notRunning, "\(launch) \(connectWithResponse) \(response) \(front)"),
        (.foregroundAction, .background, "scene.willEnterForeground \(response) scene.didBecomeActive"),
        (.backgroundAction, .notRunning, "\(launch) \(response) scene.willConnect?"),
        (.backgroundAction, .background, response),
        (.foregroundText, .prewarmed, "\(launch) \(connectWithResponse) \(text) \(front)"),
        (.backgroundText, .disconnected, text),
        (.dismissal, .prewarmed, "\(launch) \(response) scene.willConnect?"),
        (.dismissal, .foregroundActive, response),
        (.foregroundNotification, .foregroundActive, "center.willPresent(notification)"),
        (.foregroundNotification, .behindOtherScene, "center.willPresent(notification)"),
        (.silentPush, .notRunning, "\(launch) app.didReceiveRemoteNotification(userInfo) scene.willConnect?"),
        (.silentPush, .background, "app.didReceiveRemoteNotification(userInfo)"),
        (.quickAction, .notRunning, "\(launch) scene.willConnect(connectionOptions.shortcutItem) \(front)"),
        (
            .quickAction, .background,
            "scene.willEnterForeground scene.performAction(shortcutItem) scene.didBecomeActive"
        ),
        (.universalLink, .notRunning, "\(launch) scene.willConnect(connectionOptions.userActivities) \(front)"),
        (
            .universalLink, .background,
            "scene.willEnterForeground scene.continueUserActivity(userActivity.webpageURL) scene.didBecomeActive"
        ),
        (.universalLink, .foregroundActive, "scene.continueUserActivity(userActivity.webpageURL)"),
        (.customURL, .disconnected, "scene.willConnect(connectionOptions.urlContexts) \(front)"),
        (.customURL, .background, "scene.openURLContexts(URLContexts) \(front)"),
        (.contentAvailablePush, .background, "app.didReceiveRemoteNotification(userInfo)"),
        (
            .contentAvailablePush, .foregroundActive,
            "center.willPresent(notification) app.didReceiveRemoteNotification(userInfo)"
        ),
        (.document, .notRunning, "\(launch) scene.willConnect(connectionOptions.urlContexts) \(front)"),
        (.document, .background, "scene.openURLContexts(URLContexts) \(front)"),
        (.widgetURL, .disconnected, "scene.willConnect(connectionOptions.urlContexts) \(front)"),
        (.widgetURL, .background, "scene.openURLContexts(URLContexts) \(front)"),
        (.widgetActivity, .disconnected, "scene.willConnect(connectionOptions.userActivities) \(front)"),
        (.widgetActivity, .foregroundActive, "scene.continueUserActivity(userActivity)"),
        (.spotlight, .notRunning, "\(launch) scene.willConnect(connectionOptions.userActivities) \(front)"),
        (
            .spotlight, .background,
            "scene.willEnterForeground scene.continueUserActivity(userActivity) scene.didBecomeActive"
        ),
        (.cloudKitShare, .disconnected, "scene.willConnect(connectionOptions.cloudKitShareMetadata) \(front)"),
        (.cloudKitShare, .foregroundActive, "scene.userDidAcceptCloudKitShare(cloudKitShareMetadata)"),
        (
            .appIntent, .notRunning,
            "\(launch) scene.willConnect(connectionOptions.appIntent) \(intent) \(front) intent.perform(self)"
        ),
        (.appIntent, .background, "\(intent) \(front) intent.perform(self)"),
        (.appIntent, .foregroundActive, "\(intent) intent.perform(self)"),
        (
            .handoff, .disconnected,
            """
            scene.willConnect(connectionOptions.handoffUserActivityType) scene.willEnterForeground \
            scene.continueUserActivity(userActivity) scene.didBecomeActive
            """
        ),
        (
            .handoffFailure, .disconnected,
            """
            scene.willConnect(connectionOptions.handoffUserActivityType) scene.willEnterForeground \
            scene.didFailToContinueUserActivity(error) scene.didBecomeActive
            """
        ),
        (
            .handoffFailure, .foregroundActive,
            "scene.willContinueUserActivity(userActivityType) scene.didFailToContinueUserActivity(error)"
        ),
        (
            .handoff, .foregroundActive,
            "scene.willContinueUserActivity(userActivityType) scene.continueUserActivity(userActivity)"
        ),
        (
            .restoration, .notRunning,
            """
            \(launch) scene.willConnect(session.stateRestorationActivity) \
            scene.restoreInteractionState(stateRestorationActivity) \(front)
            """
        ),
        (.sceneRequest, .disconnected, "scene.willConnect(connectionOptions.userActivities) \(front)"),
        (
            .sceneRequest, .newScene,
            """
            other.willResignActive app.configurationForConnecting scene.willConnect(connectionOptions.userActivities) \
            \(front) other.didEnterBackground?
            """
        ),
        (
            .sceneRequest, .behindOtherScene,
            """
            other.willResignActive scene.willEnterForeground scene.continueUserActivity(userActivity) \
            scene.didBecomeActive other.didEnterBackground?
            """
        ),
        (.sceneRequest, .foregroundActive, "scene.continueUserActivity(userActivity)"),
    ]

    static let appDelegate: [(EventCause, InitialState, String)] = [
        (
            .icon, .notRunning,
            """
            app.willFinishLaunching app.didDecodeRestorableState? app.didFinishLaunching app.didBecomeActive
            """
        ),
        (.icon, .background, "app.willEnterForeground app.didBecomeActive"),
        (
            .notificationTap, .notRunning,
            """
            app.willFinishLaunching app.didDecodeRestorableState? \
            app.didFinishLaunching(launchOptions[.remoteNotification]) \(response) \
            app.didReceiveRemoteNotification(userInfo)? app.didBecomeActive
            """
        ),
        (
            .notificationTap, .background,
            """
            app.willEnterForeground \(response) app.didReceiveRemoteNotification(userInfo)? app.didBecomeActive
            """
        ),
        (.dismissal, .notRunning, "\(launch) \(response)"),
        (
            .silentPush, .notRunning,
            """
            app.willFinishLaunching app.didFinishLaunching(launchOptions[.remoteNotification]) \
            app.didReceiveRemoteNotification(userInfo)
            """
        ),
        (.quickAction, .background, "app.willEnterForeground app.performAction(shortcutItem) app.didBecomeActive"),
        (
            .universalLink, .background,
            """
            app.willEnterForeground app.willContinueUserActivity(userActivityType) \
            app.continueUserActivity(userActivity) app.didBecomeActive
            """
        ),
        (
            .customURL, .notRunning,
            """
            app.willFinishLaunching app.didDecodeRestorableState? app.didFinishLaunching(launchOptions[.url]) \
            app.openURL(url)? app.didBecomeActive
            """
        ),
        (.customURL, .foregroundActive, "app.openURL(url)"),
        (.document, .background, "app.willEnterForeground app.openURL(url) app.didBecomeActive"),
        (.widgetURL, .foregroundActive, "app.openURL(url)"),
        (
            .spotlight, .background,
            """
            app.willEnterForeground app.willContinueUserActivity(userActivityType) \
            app.continueUserActivity(userActivity) app.didBecomeActive
            """
        ),
        (
            .widgetActivity, .foregroundActive,
            "app.willContinueUserActivity(userActivityType) app.continueUserActivity(userActivity)"
        ),
        (.cloudKitShare, .foregroundActive, "app.userDidAcceptCloudKitShare(cloudKitShareMetadata)"),
        (.appIntent, .background, "app.willEnterForeground app.didBecomeActive intent.perform(self)"),
        (
            .contentAvailablePush, .foregroundActive,
            "center.willPresent(notification) app.didReceiveRemoteNotification(userInfo)"
        ),
        (
            .restoration, .notRunning,
            """
            app.willFinishLaunching app.didDecodeRestorableState(coder) app.didFinishLaunching app.didBecomeActive
            """
        ),
    ]

    static let appear = "view.onAppear"
    static let phase = "view.onScenePhaseChange"
    static let activity = "view.onContinueUserActivity(userActivity)"
    static let activityAgain = "scene.continueUserActivity(userActivity)"

    static let swiftUI: [(LifeCycle, EventCause, InitialState, String)] = [
        (.swiftUI, .icon, .notRunning, "\(appear) \(phase)"),
        (.swiftUI, .icon, .background, phase),
        (
            .swiftUIWithAdaptor, .icon, .notRunning,
            "\(launch) app.configurationForConnecting \(appear) \(phase)"
        ),
        (
            .swiftUIWithSceneDelegate, .icon, .disconnected,
            "app.configurationForConnecting scene.willConnect \(appear) \(front) \(phase)"
        ),
        (
            .swiftUIWithSceneDelegate, .icon, .behindOtherScene,
            "other.willResignActive \(front) \(phase) other.didEnterBackground?"
        ),
        (.swiftUI, .universalLink, .notRunning, "\(appear) \(phase) view.onOpenURL(url)"),
        (.swiftUI, .universalLink, .background, "view.onOpenURL(url) \(phase)"),
        (
            .swiftUIWithSceneDelegate, .universalLink, .disconnected,
            """
            app.configurationForConnecting scene.willConnect(connectionOptions.userActivities) \(appear) \(front) \
            \(phase) view.onOpenURL(url)
            """
        ),
        (.swiftUIWithSceneDelegate, .universalLink, .foregroundActive, "view.onOpenURL(url)"),
        (
            .swiftUIWithSceneDelegate, .customURL, .disconnected,
            """
            app.configurationForConnecting scene.willConnect(connectionOptions.urlContexts) \(appear) \(front) \
            \(phase) view.onOpenURL(url)
            """
        ),
        (
            .swiftUIWithSceneDelegate, .customURL, .background,
            "view.onOpenURL(url) scene.openURLContexts(URLContexts) \(front) \(phase)"
        ),
        (.swiftUIWithAdaptor, .document, .foregroundActive, "view.onOpenURL(url)"),
        (.swiftUI, .widgetURL, .disconnected, "\(appear) \(phase) view.onOpenURL(url)"),
        (
            .swiftUIWithSceneDelegate, .spotlight, .disconnected,
            """
            app.configurationForConnecting scene.willConnect(connectionOptions.userActivities) \(appear) \(front) \
            \(phase) \(activity) \(activityAgain)
            """
        ),
        (.swiftUIWithSceneDelegate, .widgetActivity, .foregroundActive, "\(activity) \(activityAgain)"),
        (.swiftUIWithAdaptor, .spotlight, .foregroundActive, activity),
        (.swiftUI, .handoff, .foregroundActive, activity),
        (.swiftUI, .sceneRequest, .foregroundActive, activity),
        (
            .swiftUIWithSceneDelegate, .handoff, .foregroundActive,
            "scene.willContinueUserActivity(userActivityType) \(activity) \(activityAgain)"
        ),
        (
            .swiftUIWithSceneDelegate, .handoffFailure, .foregroundActive,
            "scene.willContinueUserActivity(userActivityType) scene.didFailToContinueUserActivity(error)"
        ),
        (
            .swiftUIWithAdaptor, .quickAction, .disconnected,
            "app.configurationForConnecting(options.shortcutItem) \(appear) \(phase)"
        ),
        (
            .swiftUIWithSceneDelegate, .quickAction, .disconnected,
            """
            app.configurationForConnecting(options.shortcutItem) scene.willConnect(connectionOptions.shortcutItem) \
            \(appear) \(front) \(phase)
            """
        ),
        (
            .swiftUIWithSceneDelegate, .quickAction, .background,
            "scene.willEnterForeground scene.performAction(shortcutItem) scene.didBecomeActive \(phase)"
        ),
        (.swiftUI, .quickAction, .foregroundActive, ""),
        (
            .swiftUIWithAdaptor, .notificationTap, .notRunning,
            "\(launch) app.configurationForConnecting \(appear) \(response) \(phase)"
        ),
        (
            .swiftUIWithSceneDelegate, .notificationTap, .disconnected,
            "app.configurationForConnecting \(connectWithResponse) \(appear) \(response) \(front) \(phase)"
        ),
        (.swiftUIWithAdaptor, .silentPush, .background, "app.didReceiveRemoteNotification(userInfo)"),
        (
            .swiftUIWithSceneDelegate, .cloudKitShare, .foregroundActive,
            "scene.userDidAcceptCloudKitShare(cloudKitShareMetadata)"
        ),
        (
            .swiftUI, .appIntent, .background,
            "view.onAppIntentExecution(intent)? \(phase) intent.perform(self)"
        ),
    ]

    @Test(arguments: swiftUI) func callsOfAnAppOfSwiftUI(
        _ lifeCycle: LifeCycle,
        cause: EventCause,
        state: InitialState,
        calls: String
    ) {
        let sequence = CallbackSequence(for: cause, in: state, of: AppImplementation(lifeCycle: lifeCycle))
        #expect(sequence.steps.map(\.text).joined(separator: " ") == calls)
    }

    /// The first call that an app of SwiftUI has for an event delivers it, whichever delegates it has.
    @Test(
        arguments: [
            (.swiftUI, .customURL, .notRunning, .view(.onOpenURL)),
            (.swiftUIWithSceneDelegate, .customURL, .notRunning, .scene(.willConnect)),
            (.swiftUIWithSceneDelegate, .customURL, .background, .view(.onOpenURL)),
            (.swiftUIWithAdaptor, .notificationTap, .notRunning, .center(.didReceive)),
            (.swiftUIWithAdaptor, .quickAction, .notRunning, .app(.configurationForConnecting)),
        ] as [(LifeCycle, EventCause, InitialState, Callback)]
    )
    func firstCallHasTheEvent(_ lifeCycle: LifeCycle, cause: EventCause, state: InitialState, callback: Callback) {
        let steps = CallbackSequence(for: cause, in: state, of: AppImplementation(lifeCycle: lifeCycle)).steps
        #expect(steps.filter { $0.part == .event }.map(\.callback) == [callback])
    }

    @Test(
        arguments: [
            (.swiftUI, .notRunning, .documented), (.swiftUIWithSceneDelegate, .background, .observed),
        ] as [(LifeCycle, InitialState, SourceMark)]
    )
    func linkOfAViewHasItsSource(_ lifeCycle: LifeCycle, state: InitialState, mark: SourceMark) throws {
        let sequence = CallbackSequence(for: .universalLink, in: state, of: AppImplementation(lifeCycle: lifeCycle))
        let step = try #require(sequence.steps.first { $0.callback == .view(.onOpenURL) })
        #expect(step.source.mark == mark)
        #expect(step.order.mark == .inferred)
    }

    @Test(
        arguments: [
            (.swiftUI, .universalLink, ["view.onContinueUserActivity"]),
            (
                .swiftUIWithSceneDelegate, .universalLink,
                ["view.onContinueUserActivity", "scene.continueUserActivity", "app.continueUserActivity"]
            ),
            (.swiftUI, .quickAction, ["scene.performAction"]),
            (.swiftUIWithAdaptor, .quickAction, ["app.performAction", "scene.performAction"]),
            (.swiftUI, .silentPush, ["app.didReceiveRemoteNotification"]),
            (.swiftUIWithAdaptor, .silentPush, []),
        ] as [(LifeCycle, EventCause, [String])]
    )
    func absentCallsOfAnAppOfSwiftUI(_ lifeCycle: LifeCycle, cause: EventCause, names: [String]) {
        let app = AppImplementation(lifeCycle: lifeCycle)
        #expect(CallbackSequence(for: cause, in: .foregroundActive, of: app).notCalled.map(\.callback.name) == names)
    }

    @Test(arguments: scenes) func callsOfAnAppWithScenes(_ cause: EventCause, state: InitialState, calls: String) {
        let sequence = CallbackSequence(for: cause, in: state, of: AppImplementation())
        #expect(sequence.steps.map(\.text).joined(separator: " ") == calls)
    }

    @Test(arguments: appDelegate) func callsOfAnAppWithoutScenes(
        _ cause: EventCause,
        state: InitialState,
        calls: String
    ) {
        let sequence = CallbackSequence(for: cause, in: state, of: AppImplementation(lifeCycle: .appDelegate))
        #expect(sequence.steps.map(\.text).joined(separator: " ") == calls)
    }

    /// The place of a call may be known less well than the call itself.
    @Test(
        arguments: [
            (.universalLink, .background, .scene(.continueUserActivity), .documented, .observed),
            (.customURL, .background, .scene(.openURLContexts), .documented, .observed),
            (.quickAction, .background, .scene(.performAction), .documented, .inferred),
            (.notificationTap, .notRunning, .center(.didReceive), .observed, .inferred),
            (.notificationTap, .disconnected, .center(.didReceive), .inferred, .inferred),
            (.notificationTap, .notRunning, .scene(.willConnect), .documented, .documented),
            (.handoff, .disconnected, .scene(.continueUserActivity), .observed, .inferred),
            (.document, .background, .scene(.openURLContexts), .documented, .inferred),
            (.widgetURL, .notRunning, .scene(.willConnect), .observed, .documented),
            (.widgetURL, .background, .scene(.openURLContexts), .observed, .inferred),
            (.widgetActivity, .notRunning, .scene(.willConnect), .inferred, .documented),
            (.spotlight, .notRunning, .scene(.willConnect), .documented, .documented),
            (.spotlight, .background, .scene(.continueUserActivity), .documented, .inferred),
            (.cloudKitShare, .background, .scene(.userDidAcceptCloudKitShare), .documented, .inferred),
            (.appIntent, .background, .scene(.willPerformAppIntent), .documented, .documented),
            (.sceneRequest, .newScene, .scene(.willConnect), .documented, .documented),
            (.sceneRequest, .background, .scene(.continueUserActivity), .inferred, .inferred),
        ] as [(EventCause, InitialState, Callback, SourceMark, SourceMark)]
    )
    func marksOfACall(
        _ cause: EventCause,
        state: InitialState,
        callback: Callback,
        source: SourceMark,
        order: SourceMark
    ) throws {
        let sequence = CallbackSequence(for: cause, in: state, of: AppImplementation())
        let step = try #require(sequence.steps.first { $0.callback == callback })
        #expect(step.source.mark == source)
        #expect(step.order.mark == order)
    }

    @Test(
        arguments: [
            (.universalLink, .notRunning, "scene.continueUserActivity app.continueUserActivity"),
            (.customURL, .disconnected, "scene.openURLContexts app.openURL"),
            (.quickAction, .notRunning, "scene.performAction app.performAction"),
            (.customURL, .background, "app.openURL"),
            (.widgetURL, .notRunning, "scene.openURLContexts app.openURL"),
            (.spotlight, .disconnected, "scene.continueUserActivity app.continueUserActivity"),
            (.cloudKitShare, .notRunning, "scene.userDidAcceptCloudKitShare app.userDidAcceptCloudKitShare"),
            (.notificationTap, .notRunning, "app.didFinishLaunching app.configurationForConnecting"),
            (.silentPush, .background, "scene.willEnterForeground"),
            (.sceneRequest, .newScene, "scene.continueUserActivity"),
        ] as [(EventCause, InitialState, String)]
    )
    func absentCallsOfAnAppWithScenes(_ cause: EventCause, state: InitialState, names: String) {
        let absent = CallbackSequence(for: cause, in: state, of: AppImplementation()).notCalled.map(\.callback.name)
        for name in names.split(separator: " ") { #expect(absent.contains(String(name)), "\(absent)") }
    }

    @Test func statesAfterTheCallsOfALaunch() {
        let steps = CallbackSequence(for: .universalLink, in: .newScene, of: AppImplementation()).steps
        #expect(
            steps.map(\.state) == [
                .foregroundInactive, nil, .unattached, .foregroundInactive, .foregroundActive, .background,
            ]
        )
        #expect(steps.map(\.scene) == [.other, nil, .chosen, .chosen, .chosen, .other])
    }
}

extension CallbackStep {
    /// The short name of the method with the argument of the event, `other` for another scene, and `?` for a condition.
    fileprivate var text: String {
        let name = scene == .other ? callback.name.replacing("scene.", with: "other.") : callback.name
        return name + (argument.map { "(\($0))" } ?? "") + (condition == nil ? "" : "?")
    }
}
