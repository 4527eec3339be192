internal import WaypostSchema

extension MistakeRule {
    /// The table: a row for each mistake, and one for each method that the scene life cycle replaces.
    static let all = ofUIKit + swiftUI + intentsWithOneScene + newScenes

    private static let ofUIKit: [MistakeRule] =
        [coldURLIgnored, coldLinkIgnored, coldQuickActionIgnored, coldShareIgnored, launchOptionsInSceneApp]
        + replacedMethods
        + [
            notificationDelegateLate, notificationDelegateInScene, responseDeliveredTwice,
            responseSourceUnreliable, notificationDelegateReplaced, eventBeforeReady,
            restorationRace, wrongWindow, oncePerProcessSetup, backgroundLaunchWithoutScene, firstOfSet,
            configurationExpectedAlways, earlyReturnDropsOptions, handoffActivityExpectedAtConnect,
            noSceneLifeCycle, completionHandlerMissing, restorationNilWhileLocked, windowWithoutScene,
            assumesPhoneSceneFirst, severalWidgetURLs, activityTypeNotDeclared,
        ]

    /// The causes whose event opens the app.
    static let events: Set<EventCause> = [
        .notificationTap, .foregroundAction, .quickAction, .universalLink, .customURL, .document, .widgetURL,
        .widgetActivity, .spotlight, .cloudKitShare, .appIntent, .handoff, .sceneRequest,
    ]

    // MARK: Lost when the scene connects

    static let coldURLIgnored = MistakeRule(
        .coldURLIgnored,
        causes: [.customURL, .document, .widgetURL],
        states: .connecting,
        has: [.lifeCycle([.uiScene]), .implements(.scene(.openURLContexts))],
        lacks: [.reads(.urlContexts)],
        message: "a URL that connects a scene is lost: read connectionOptions.urlContexts in "
            + "scene(_:willConnectTo:options:), because scene(_:openURLContexts:) is not called then",
        source: .observed(
            4,
            "AvaloniaUI/Avalonia#21362, dotnet/maui#38601, Infomaniak/ios-kDrive#1823, Adyen/adyen-ios#2721"
        )
    )

    static let coldLinkIgnored = MistakeRule(
        .coldLinkIgnored,
        causes: [.universalLink, .widgetActivity, .spotlight, .sceneRequest],
        states: .connecting,
        has: [.lifeCycle([.uiScene]), .implements(.scene(.continueUserActivity))],
        lacks: [.reads(.userActivities)],
        message: "a link or activity that connects a scene is lost: read connectionOptions.userActivities in "
            + "scene(_:willConnectTo:options:), because scene(_:continue:) is not called then",
        source: .coldLinks
    )

    static let coldQuickActionIgnored = MistakeRule(
        .coldQuickActionIgnored,
        causes: [.quickAction],
        states: .connecting,
        has: [.lifeCycle([.uiScene]), .implements(.scene(.performAction))],
        lacks: [.reads(.shortcutItem)],
        message: "a quick action that connects a scene is lost: read connectionOptions.shortcutItem in "
            + "scene(_:willConnectTo:options:), and perform it in sceneDidBecomeActive(_:)",
        source: .coldQuickActions
    )

    static let coldShareIgnored = MistakeRule(
        .coldShareIgnored,
        causes: [.cloudKitShare],
        states: .connecting,
        has: [
            .lifeCycle([.uiScene, .swiftUIWithSceneDelegate]), .implements(.scene(.userDidAcceptCloudKitShare)),
        ],
        lacks: [.reads(.cloudKitShareMetadata)],
        message: "a share that connects a scene is lost: read connectionOptions.cloudKitShareMetadata in "
            + "scene(_:willConnectTo:options:), because windowScene(_:userDidAcceptCloudKitShareWith:) is not called "
            + "then",
        source: .observed(2, "apple/sample-cloudkit-sharing#17, pointfreeco/sqlite-data#148")
    )

    static let launchOptionsInSceneApp = MistakeRule(
        .launchOptionsInSceneApp,
        causes: events.union([EventCause.silentPush, .contentAvailablePush]),
        states: .launching,
        has: [.lifeCycle([.uiScene]), .reads(.launchOptions)],
        message: "launchOptions is nil in an app with scenes: read the connection options in "
            + "scene(_:willConnectTo:options:)",
        source: .observed(
            4,
            "CleverTap/clevertap-cordova#325, react/react-native#35191, invertase/react-native-firebase#6657, "
                + "llfbandit/app_links#253"
        )
    )

    static let handoffActivityExpectedAtConnect = MistakeRule(
        .handoffActivityExpectedAtConnect,
        causes: [.handoff],
        has: [.lifeCycle([.uiScene]), .reads(.handoffUserActivityType)],
        lacks: [.implements(.scene(.continueUserActivity))],
        message: "an activity of Handoff is never in connectionOptions.userActivities: implement scene(_:continue:), "
            + "which UIKit calls when the data has arrived",
        source: .connectionOptions
    )

    static let firstOfSet = MistakeRule(
        .firstOfSet,
        causes: [
            .universalLink, .customURL, .document, .widgetURL, .widgetActivity, .spotlight, .sceneRequest,
        ],
        states: .connecting,
        has: [.lifeCycle([.uiScene]), .practice(.readsFirstOnly)],
        message: "only one element of connectionOptions.urlContexts or userActivities is read: go through all of them "
            + "in scene(_:willConnectTo:options:), and test the type of each activity",
        source: .observed(3, "sopt-makers/SOPT-iOS#980, sopt-makers/SOPT-iOS#825, partout-io/passepartout#637")
    )

    static let earlyReturnDropsOptions = MistakeRule(
        .earlyReturnDropsOptions,
        causes: events,
        states: .connecting,
        has: [.lifeCycle([.uiScene]), .practice(.returnsAfterFirstOption)],
        message: "an early return drops the other options: read all connection options in "
            + "scene(_:willConnectTo:options:) before it returns",
        source: .observed(1, "Gustash/react-native-siri-shortcut#114")
    )

    static let severalWidgetURLs = MistakeRule(
        .severalWidgetURLs,
        causes: [.widgetURL],
        has: [.practice(.setsSeveralWidgetURLs)],
        message: "it is undefined which URL opens the app: use widgetURL(_:) once in the view of a widget or Live "
            + "Activity, and Link for the others",
        source: .widgetLinks
    )

    static let activityTypeNotDeclared = MistakeRule(
        .activityTypeNotDeclared,
        causes: [.handoff],
        has: [.practice(.omitsActivityTypes)],
        message: "the activity does not arrive: declare its type in NSUserActivityTypes, or scene(_:continue:) and "
            + "onContinueUserActivity(_:perform:) are not called",
        source: .viewActivity
    )

    static let eventBeforeReady = MistakeRule(
        .eventBeforeReady,
        causes: events,
        states: .connecting,
        has: [.lifeCycle([.uiScene]), .practice(.handlesEventsBeforeReady)],
        message: "the user interface does not exist in scene(_:willConnectTo:options:): keep the event, and handle it "
            + "in sceneDidBecomeActive(_:) or when the interface is ready",
        source: .observed(
            4,
            "expo/expo#47628, apache/cordova-ios#1671, apache/cordova-ios#1681, Cap-go/capacitor-plus#114"
        )
    )

    // MARK: Methods of the old life cycle

    static let replacedMethods = ReplacedMethod.all.map { row in
        MistakeRule(
            row.hasEvent ? .appDelegateEventCallback : .appDelegateLifeCycleCallback,
            causes: row.causes,
            has: [.lifeCycle([.uiScene]), .implements(.app(row.old))],
            lacks: [.implements(.scene(row.new))],
            message: "UIKit does not call \(Callback.app(row.old).signature) in an app with scenes: implement "
                + "\(Callback.scene(row.new).signature) in the scene delegate",
            source: row.hasEvent ? oldEventReports : oldLifeCycleReports
        )
    }

    private static let oldEventReports = CallbackSource.observed(
        3,
        "p2/OAuth2#355, segmentio/analytics-ios#978, AppsFlyerSDK/AppsFlyerFramework#109"
    )

    private static let oldLifeCycleReports = CallbackSource.observed(
        4,
        "AppsFlyerSDK/AppsFlyerFramework#139, OneSignal/OneSignal-iOS-SDK#647, kickstarter/ios-oss#2994, "
            + "flutter/flutter#170178"
    )

    static let configurationExpectedAlways = MistakeRule(
        .configurationExpectedAlways,
        causes: Set(EventCause.allCases),
        states: [.notRunning, .prewarmed, .disconnected],
        has: [.lifeCycle([.uiScene]), .practice(.setsUpInConfiguration)],
        message: "UIKit calls application(_:configurationForConnecting:options:) only for a new session: set things up "
            + "in scene(_:willConnectTo:options:)",
        source: .observed(2, "stackoverflow.com/questions/63520008, onmyway133/notes#625")
    )

    static let oncePerProcessSetup = MistakeRule(
        .oncePerProcessSetup,
        causes: Set(EventCause.allCases),
        states: [.disconnected, .newScene, .newSceneInBackground],
        has: [.lifeCycle([.uiScene]), .practice(.createsInterfaceOnce)],
        message: "a scene may connect again in the same process: create the user interface in "
            + "scene(_:willConnectTo:options:), and release it in sceneDidDisconnect(_:)",
        source: .reconnections
    )

    static let windowWithoutScene = MistakeRule(
        .windowWithoutScene,
        causes: Set(EventCause.allCases),
        states: .connecting,
        has: [.lifeCycle([.uiScene]), .practice(.createsWindowWithoutScene)],
        message: "a window without a scene does not show, and one beside that of the storyboard is a second one: "
            + "create it once, with its window scene, in scene(_:willConnectTo:options:)",
        source: .observed(
            3,
            "wordpress-mobile/WordPress-iOS#25637, Cap-go/capacitor-plus#130, OneSignal/OneSignal-iOS-SDK#648"
        )
    )

    static let assumesPhoneSceneFirst = MistakeRule(
        .assumesPhoneSceneFirst,
        causes: Set(EventCause.allCases),
        states: .launching,
        has: [.lifeCycle(.withScenes), .practice(.startsInWindowScene)],
        message: "the scene of CarPlay may connect first: start what the scenes share in "
            + "application(_:didFinishLaunchingWithOptions:)",
        source: .observed(
            4,
            "birkir/react-native-carplay#132, organicmaps/organicmaps#12612, dotnet/macios#9749, "
                + "llfbandit/app_links#150"
        )
    )

    static let noSceneLifeCycle = MistakeRule(
        .noSceneLifeCycle,
        causes: Set(EventCause.allCases),
        has: [.lifeCycle([.appDelegate]), .sdk(atLeast: 27)],
        message: "an app that is built with the iOS 27 SDK does not launch without scenes: add "
            + "UIApplicationSceneManifest and implement scene(_:willConnectTo:options:)",
        source: .sceneTechnote
    )

    // MARK: Notifications

    static let notificationDelegateLate = MistakeRule(
        .notificationDelegateLate,
        causes: responses,
        states: .launching,
        has: [.setsCenterDelegate(.later)],
        message: delegateMessage,
        source: .lateDelegate
    )

    static let notificationDelegateInScene = MistakeRule(
        .notificationDelegateLate,
        causes: responses,
        states: .launching,
        has: [.setsCenterDelegate(.willConnect)],
        message: delegateMessage,
        source: .centerDelegate
    )

    private static let responses: Set<EventCause> = [
        .notificationTap, .foregroundAction, .backgroundAction, .foregroundText, .backgroundText, .dismissal,
    ]

    private static let delegateMessage =
        "a response that launches the app may be lost: set UNUserNotificationCenter.delegate in "
        + "application(_:didFinishLaunchingWithOptions:)"

    static let responseDeliveredTwice = MistakeRule(
        .responseDeliveredTwice,
        causes: [.notificationTap, .foregroundAction, .foregroundText],
        states: .connecting,
        has: [.lifeCycle([.uiScene]), .reads(.notificationResponse), .implements(.center(.didReceive))],
        lacks: [
            .deduplicates(.notificationResponse), .setsCenterDelegate(.later), .setsCenterDelegate(.willConnect),
        ],
        message: "a response that connects a scene is handled twice: handle it only in "
            + "userNotificationCenter(_:didReceive:withCompletionHandler:), or remove the duplicate by the identifiers "
            + "of the request and of the action",
        source: .observed(2, "defold/extension-push#58, firebase/flutterfire#17991")
    )

    static let responseSourceUnreliable = MistakeRule(
        .responseSourceUnreliable,
        causes: [.notificationTap, .foregroundAction, .foregroundText],
        has: [.lifeCycle([.uiScene]), .reads(.notificationResponse)],
        lacks: [.implements(.center(.didReceive))],
        message: "connectionOptions.notificationResponse is absent at times, and a connected scene never gets it: "
            + "implement userNotificationCenter(_:didReceive:withCompletionHandler:), and set the delegate in "
            + "application(_:didFinishLaunchingWithOptions:)",
        source: .observed(
            3,
            "tidev/titanium-sdk#14195, onmyway133/notes#626, react-native-push-notification/ios#380"
        )
    )

    static let notificationDelegateReplaced = MistakeRule(
        .notificationDelegateReplaced,
        causes: responses.union([EventCause.foregroundNotification, .contentAvailablePush]),
        has: [.practice(.replacesCenterDelegate)],
        message: "two parts of the app set UNUserNotificationCenter.delegate: let one own it, and forward "
            + "userNotificationCenter(_:didReceive:withCompletionHandler:) once",
        source: .observed(3, "firebase/flutterfire#18037, firebase/flutterfire#18699, uxduck/push#30")
    )

    static let backgroundLaunchWithoutScene = MistakeRule(
        .backgroundLaunchWithoutScene,
        causes: [.silentPush, .contentAvailablePush, .backgroundAction, .backgroundText, .dismissal],
        states: [.notRunning, .notRunningNewScene, .prewarmed, .disconnected],
        has: [.lifeCycle([.uiScene]), .practice(.needsSceneInBackground)],
        message: "no scene is connected in the background: work without a window in "
            + "application(_:didReceiveRemoteNotification:fetchCompletionHandler:) and "
            + "userNotificationCenter(_:didReceive:withCompletionHandler:), and keep navigation for "
            + "scene(_:willConnectTo:options:)",
        source: .observed(
            3,
            "TortugaPower/BookPlayer#1197, n0an/VivaDicta#217, wordpress-mobile/WordPress-iOS#25643"
        )
    )

    static let completionHandlerMissing = MistakeRule(
        .completionHandlerMissing,
        causes: responses.union([EventCause.silentPush, .contentAvailablePush, .quickAction]),
        has: [.practice(.omitsCompletionHandlers)],
        message: "the completion handler is not called: call it in "
            + "userNotificationCenter(_:didReceive:withCompletionHandler:), "
            + "application(_:didReceiveRemoteNotification:fetchCompletionHandler:) and "
            + "windowScene(_:performActionFor:completionHandler:)",
        source: .notificationActions
    )

    // MARK: Windows and state

    static let wrongWindow = MistakeRule(
        .wrongWindow,
        causes: events,
        has: [.lifeCycle([.uiScene]), .practice(.usesKeyWindow)],
        message: "the key window may be another one: use the scene that is the argument of the method, or "
            + "response.targetScene in userNotificationCenter(_:didReceive:withCompletionHandler:)",
        source: .observed(
            3,
            "openhab/openhab-ios#1229, mozilla-mobile/firefox-ios#20007, mozilla-mobile/firefox-ios#20531"
        )
    )

    static let restorationRace = MistakeRule(
        .restorationRace,
        causes: events.subtracting([EventCause.handoff]),
        states: [.notRunning, .prewarmed, .disconnected],
        has: [.lifeCycle([.uiScene]), .practice(.restoresAfterEvent)],
        message: "the restored state replaces the event: restore session.stateRestorationActivity first in "
            + "scene(_:willConnectTo:options:), and then handle the option",
        source: .observed(2, "Ranchero-Software/NetNewsWire#4638 and a framework of another app")
    )

    static let restorationNilWhileLocked = MistakeRule(
        .restorationNilWhileLocked,
        causes: [.restoration],
        states: [.notRunning, .prewarmed, .disconnected],
        has: [.lifeCycle([.uiScene]), .practice(.treatsMissingStateAsFirstLaunch)],
        message: "session.stateRestorationActivity is nil while the device is locked, and the system sets it later: do "
            + "not take that for a first launch; restore in scene(_:restoreInteractionStateWith:) too",
        source: .documented("UISceneSession.stateRestorationActivity")
    )
}
