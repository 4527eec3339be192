internal import WaypostSchema

extension AppDelegateMethod {
    /// The method as Apple spells it, and the version of iOS that introduced it.
    var declaration: (signature: String, since: Int) {
        switch self {
        case .willFinishLaunching: ("application(_:willFinishLaunchingWithOptions:)", 6)
        case .didFinishLaunching: ("application(_:didFinishLaunchingWithOptions:)", 3)
        case .configurationForConnecting: ("application(_:configurationForConnecting:options:)", 13)
        case .didDiscardSceneSessions: ("application(_:didDiscardSceneSessions:)", 13)
        case .didBecomeActive: ("applicationDidBecomeActive(_:)", 2)
        case .willResignActive: ("applicationWillResignActive(_:)", 2)
        case .didEnterBackground: ("applicationDidEnterBackground(_:)", 4)
        case .willEnterForeground: ("applicationWillEnterForeground(_:)", 4)
        case .openURL: ("application(_:open:options:)", 9)
        case .willContinueUserActivity: ("application(_:willContinueUserActivityWithType:)", 8)
        case .continueUserActivity: ("application(_:continue:restorationHandler:)", 8)
        case .didFailToContinueUserActivity:
            ("application(_:didFailToContinueUserActivityWithType:error:)", 8)
        case .performAction: ("application(_:performActionFor:completionHandler:)", 9)
        case .userDidAcceptCloudKitShare: ("application(_:userDidAcceptCloudKitShareWith:)", 10)
        case .didDecodeRestorableState: ("application(_:didDecodeRestorableStateWith:)", 6)
        case .didReceiveRemoteNotification:
            ("application(_:didReceiveRemoteNotification:fetchCompletionHandler:)", 7)
        }
    }
}
