internal import WaypostSchema

/// The sources of several rules.
extension CallbackSource {
    // MARK: Apple's documentation

    static let sceneMigration = documented("Transitioning to the UIKit scene-based life cycle")
    static let sceneTechnote = documented("TN3187: Migrating to the UIKit scene-based life cycle")
    static let appLaunch = documented("Responding to the launch of your app")
    static let launchSequence = documented("About the app launch sequence")
    static let lifeCycleGuide = documented("Managing your app's life cycle")
    static let connectionOptions = documented("UIScene.ConnectionOptions")
    static let sceneConfiguration = documented("application(_:configurationForConnecting:options:)")
    static let sceneForeground = documented("sceneWillEnterForeground(_:)")
    static let sceneDisconnection = documented("sceneDidDisconnect(_:)")
    static let stateRestoration = documented("Restoring your app's state")
    static let universalLinks = documented("Supporting universal links in your app")
    static let urlSchemes = documented("Defining a custom URL scheme for your app")
    static let quickActions = documented("Add Home Screen quick actions")
    static let activityAnnouncement = documented("scene(_:willContinueUserActivityWithType:)")
    static let activityContinuation = documented("scene(_:continue:)")
    static let activityFailure = documented("scene(_:didFailToContinueUserActivityWithType:error:)")
    static let notificationActions = documented("Handling notifications and notification-related actions")
    static let foregroundOption = documented("UNNotificationActionOptions.foreground")
    static let textResponse = documented("UNTextInputNotificationResponse")
    static let foregroundPresentation = documented("userNotificationCenter(_:willPresent:withCompletionHandler:)")
    static let centerDelegate = documented("UNUserNotificationCenter.delegate")
    static let remoteNotification = documented(
        "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
    )
    static let swiftUIMigration = documented("Migrating to the SwiftUI life cycle")
    static let scenePhase = documented("ScenePhase")
    static let viewURL = documented("onOpenURL(perform:)")
    static let viewActivity = documented("onContinueUserActivity(_:perform:)")
    static let sceneShare = documented("windowScene(_:userDidAcceptCloudKitShareWith:)")
    static let sceneIntents = documented("Directing App Intents to your app's scenes")
    static let widgetLinks = documented("Linking to specific app scenes from your widget or Live Activity")
    static let sceneRequests = documented("UISceneSessionActivationRequest")
    static let launchOptions = documented("application(_:didFinishLaunchingWithOptions:)")
    static let appOpenURL = documented("application(_:open:options:)")
    static let appActivity = documented("application(_:continue:restorationHandler:)")
    static let appQuickAction = documented("application(_:performActionFor:completionHandler:)")

    // MARK: Reports

    static let deepLinkTests = observed(1, "flutter/flutter#192173, tests of deep links")
    static let severalScenesTests = observed(1, "flutter/flutter#192173, tests of several scenes")
    static let appWithoutScenesTests = observed(1, "flutter/flutter#192173, tests of an app that did not migrate")
    static let appWithoutScenesOrder = observed(2, "flutter/flutter#192173 and another report")
    static let responseAtLaunch = observed(
        7,
        "defold/extension-push#58, firebase/flutterfire#17991, Ranchero-Software/NetNewsWire and others"
    )
    static let lateDelegate = observed(2, "deltachat/deltachat-ios#2672, AppLozic/Applozic-iOS-SDK#544")
    static let responseBeforeActive = observed(1, "openhab/openhab-ios#1229")
    static let reconnections = observed(
        4,
        "wordpress-mobile/WordPress-iOS#25643, tauri-apps/tao#1261, customerio/customerio-ios#1118, "
            + "AzureAD/microsoft-authentication-library-for-objc#3070"
    )
    static let savedConfiguration = observed(
        3,
        "stackoverflow.com/questions/63520008, forum thread 702040, luxmentis.org"
    )
    static let backgroundLaunches = observed(
        2,
        "wordpress-mobile/WordPress-iOS#25643, TortugaPower/BookPlayer#1197"
    )
    static let coldQuickActions = observed(
        3,
        "flutter/flutter#130243, flutter/flutter#170179, EvanBacon/expo-quick-actions#54"
    )
    static let coldLinks = observed(
        3,
        "apache/cordova-ios#1717, OdyseeTeam/odysee-ios#422, flutter/flutter#179452"
    )
    static let openSwiftUI = observed(1, "OpenSwiftUIProject/OpenSwiftUI, checked against SwiftUI 6.5.4")
    static let swiftUILaunch = observed(2, "forum thread 746362 and OpenSwiftUIProject/OpenSwiftUI")
    static let swiftUILinks = observed(
        3,
        "forum threads 746362 and 762526, OpenSwiftUIProject/OpenSwiftUI"
    )
    static let swiftUIQuickActions = observed(1, "krelltunez/dayGLANCE#1004")
    static let swiftUIColdQuickActions = observed(1, "krelltunez/dayGLANCE#1436")
    static let widgetURLs = observed(3, "customerio/customerio-ios#1152, ABausG/home_widget#405, gdombiak/OctoPod#729")
    static let handoffAfterConnection = observed(3, "comments in three code bases")
}
