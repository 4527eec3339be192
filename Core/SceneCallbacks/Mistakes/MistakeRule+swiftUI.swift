internal import WaypostSchema

extension MistakeRule {
    /// The rows for apps of SwiftUI.
    static let swiftUI = [
        linkAsActivityOfAView, linkAsActivityOfAScene, coldLinkWithoutSceneDelegate, coldLinkInViews,
        quickActionInAppDelegate, quickActionAtConnection,
    ]

    static let linkAsActivityOfAView = MistakeRule(
        .swiftUILinkInWrongPlace,
        causes: [.universalLink],
        has: [.lifeCycle(.anySwiftUI), .implements(.view(.onContinueUserActivity))],
        lacks: [.implements(.view(.onOpenURL))],
        message: linkMessage,
        source: linkReports
    )

    static let linkAsActivityOfAScene = MistakeRule(
        .swiftUILinkInWrongPlace,
        causes: [.universalLink],
        has: [.lifeCycle([.swiftUIWithSceneDelegate]), .implements(.scene(.continueUserActivity))],
        lacks: [.implements(.view(.onOpenURL)), .implements(.view(.onContinueUserActivity))],
        message: linkMessage,
        source: linkReports
    )

    private static let linkMessage =
        "a universal link reaches neither onContinueUserActivity(_:perform:) nor scene(_:continue:) in an app of "
        + "SwiftUI: use onOpenURL(perform:)"

    private static let linkReports = CallbackSource.observed(2, "forum threads 746362 and 762526")

    static let coldLinkWithoutSceneDelegate = MistakeRule(
        .swiftUIColdLinkBug,
        causes: [.universalLink],
        states: .launching,
        systems: [18],
        has: [.lifeCycle([.swiftUI, .swiftUIWithAdaptor]), .implements(.view(.onOpenURL))],
        message: coldLinkMessage,
        source: coldLinkReport
    )

    static let coldLinkInViews = MistakeRule(
        .swiftUIColdLinkBug,
        causes: [.universalLink],
        states: .launching,
        systems: [18],
        has: [.lifeCycle([.swiftUIWithSceneDelegate]), .implements(.view(.onOpenURL))],
        lacks: [.reads(.userActivities)],
        message: coldLinkMessage,
        source: coldLinkReport
    )

    private static let coldLinkMessage =
        "iOS 18.4 does not call onOpenURL(perform:) for a universal link that launches the app: also read "
        + "connectionOptions.userActivities in scene(_:willConnectTo:options:) of a scene delegate"

    private static let coldLinkReport = CallbackSource.observed(1, "feedback-assistant/reports#650")

    static let quickActionInAppDelegate = MistakeRule(
        .swiftUIQuickAction,
        causes: [.quickAction],
        has: [
            .lifeCycle([.swiftUIWithAdaptor, .swiftUIWithSceneDelegate]), .implements(.app(.performAction)),
        ],
        message: "application(_:performActionFor:completionHandler:) is not called in an app of SwiftUI: implement "
            + "windowScene(_:performActionFor:completionHandler:) in a scene delegate, and read options.shortcutItem "
            + "in application(_:configurationForConnecting:options:)",
        source: .swiftUIQuickActions
    )

    static let quickActionAtConnection = MistakeRule(
        .swiftUIQuickAction,
        causes: [.quickAction],
        states: .connecting,
        has: [.lifeCycle([.swiftUIWithSceneDelegate]), .reads(.shortcutItem)],
        lacks: [.reads(.configurationShortcutItem)],
        message: "scene(_:willConnectTo:options:) is not always called for a quick action in an app of SwiftUI: read "
            + "options.shortcutItem in application(_:configurationForConnecting:options:)",
        source: .swiftUIColdQuickActions
    )

    // MARK: App Intents

    /// The rows for the methods that an intent does not reach in an app with one scene.
    static let intentsWithOneScene = [
        Callback.scene(.willPerformAppIntent), .intent(.performNavigation), .view(.onAppIntentExecution),
    ].map { callback in
        MistakeRule(
            .intentNeedsMultipleScenes,
            causes: [.appIntent],
            has: [.lifeCycle(.withScenes), .implements(callback)],
            lacks: [.supportsMultipleScenes],
            message: "\(callback.signature) is not called: set UIApplicationSupportsMultipleScenes to YES, which the "
                + "system needs to route an App Intent, even if the app has one window",
            source: .sceneIntents
        )
    }
}
