internal import WaypostSchema

extension SceneDelegateMethod {
    /// The method as Apple spells it, and the version of iOS that introduced it.
    var declaration: (signature: String, since: Int) {
        switch self {
        case .willConnect: ("scene(_:willConnectTo:options:)", 13)
        case .willEnterForeground: ("sceneWillEnterForeground(_:)", 13)
        case .didBecomeActive: ("sceneDidBecomeActive(_:)", 13)
        case .willResignActive: ("sceneWillResignActive(_:)", 13)
        case .didEnterBackground: ("sceneDidEnterBackground(_:)", 13)
        case .didDisconnect: ("sceneDidDisconnect(_:)", 13)
        case .openURLContexts: ("scene(_:openURLContexts:)", 13)
        case .willContinueUserActivity: ("scene(_:willContinueUserActivityWithType:)", 13)
        case .continueUserActivity: ("scene(_:continue:)", 13)
        case .didFailToContinueUserActivity: ("scene(_:didFailToContinueUserActivityWithType:error:)", 13)
        case .performAction: ("windowScene(_:performActionFor:completionHandler:)", 13)
        case .userDidAcceptCloudKitShare: ("windowScene(_:userDidAcceptCloudKitShareWith:)", 13)
        case .willPerformAppIntent: ("scene(_:willPerformAppIntent:)", 26)
        case .restoreInteractionState: ("scene(_:restoreInteractionStateWith:)", 15)
        }
    }
}
