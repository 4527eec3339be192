/// A method of `UISceneDelegate`, `UIWindowSceneDelegate` or `AppIntentSceneDelegate`.
public enum SceneDelegateMethod: String, StringEnum {
    /// `scene(_:willConnectTo:options:)`.
    case willConnect

    /// `sceneWillEnterForeground(_:)`.
    case willEnterForeground

    /// `sceneDidBecomeActive(_:)`.
    case didBecomeActive

    /// `sceneWillResignActive(_:)`.
    case willResignActive

    /// `sceneDidEnterBackground(_:)`.
    case didEnterBackground

    /// `sceneDidDisconnect(_:)`.
    case didDisconnect

    /// `scene(_:openURLContexts:)`.
    case openURLContexts

    /// `scene(_:willContinueUserActivityWithType:)`.
    case willContinueUserActivity

    /// `scene(_:continue:)`.
    case continueUserActivity

    /// `scene(_:didFailToContinueUserActivityWithType:error:)`.
    case didFailToContinueUserActivity

    /// `windowScene(_:performActionFor:completionHandler:)`.
    case performAction

    /// `windowScene(_:userDidAcceptCloudKitShareWith:)`.
    case userDidAcceptCloudKitShare

    /// `scene(_:willPerformAppIntent:)`.
    case willPerformAppIntent

    /// `scene(_:restoreInteractionStateWith:)`.
    case restoreInteractionState
}
