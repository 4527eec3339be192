internal import WaypostSchema

extension TokenPurpose.Kind {
    /// Whether an app may have several tokens of the kind, each with a name; otherwise it has one, without a name.
    var needsName: Bool {
        self == .pushToTalk || self == .liveActivity || self == .control
    }

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
