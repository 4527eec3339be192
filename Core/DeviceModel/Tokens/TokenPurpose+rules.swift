internal import WaypostSchema

extension TokenPurpose.Kind {
    /// Returns Apple's name of the call that returns a token, or that says that there is none any more; `nil` for none.
    func method(hasToken: Bool) -> String? {
        switch self {
        case .voip, .fileProvider, .complication:
            hasToken ? "pushRegistry(_:didUpdate:for:)" : "pushRegistry(_:didInvalidatePushTokenFor:)"
        case _ where !hasToken: nil
        case .app: "application(_:didRegisterForRemoteNotificationsWithDeviceToken:)"
        case .pushToTalk: "channelManager(_:receivedEphemeralPushToken:)"
        case .location: "startMonitoringLocationPushes(completion:)"
        case .pushToStart: "pushToStartTokenUpdates"
        case .liveActivity: "pushTokenUpdates"
        case .widgets: "pushTokenDidChange(_:widgets:)"
        case .control: "pushTokensDidChange(controls:)"
        }
    }
}
