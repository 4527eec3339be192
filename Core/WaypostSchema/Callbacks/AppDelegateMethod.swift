/// A method of `UIApplicationDelegate`.
public enum AppDelegateMethod: String, StringEnum {
    /// `application(_:willFinishLaunchingWithOptions:)`.
    case willFinishLaunching

    /// `application(_:didFinishLaunchingWithOptions:)`.
    case didFinishLaunching

    /// `application(_:configurationForConnecting:options:)`.
    case configurationForConnecting

    /// `application(_:didDiscardSceneSessions:)`.
    case didDiscardSceneSessions

    /// `applicationDidBecomeActive(_:)`.
    case didBecomeActive

    /// `applicationWillResignActive(_:)`.
    case willResignActive

    /// `applicationDidEnterBackground(_:)`.
    case didEnterBackground

    /// `applicationWillEnterForeground(_:)`.
    case willEnterForeground

    /// `application(_:open:options:)`.
    case openURL

    /// `application(_:willContinueUserActivityWithType:)`.
    case willContinueUserActivity

    /// `application(_:continue:restorationHandler:)`.
    case continueUserActivity

    /// `application(_:didFailToContinueUserActivityWithType:error:)`.
    case didFailToContinueUserActivity

    /// `application(_:performActionFor:completionHandler:)`.
    case performAction

    /// `application(_:userDidAcceptCloudKitShareWith:)`.
    case userDidAcceptCloudKitShare

    /// `application(_:didDecodeRestorableStateWith:)`.
    case didDecodeRestorableState

    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    case didReceiveRemoteNotification
}
