public import WaypostSchema

/// The push receivers of apps: extensions, widgets, controls and complications.
extension DeviceModel {
    /// Returns how often each push receiver of an app was called since the app was installed, by its name.
    public func receiverCalls(of app: BundleIdentifier) -> [String: Int] {
        receivers[app]?.totals ?? [:]
    }

    /// Calls the receiver of a push, if its rules allow that.
    ///
    /// An extension has no process here, so its call is an effect and waits for nothing.
    mutating func call(
        _ receiver: PushReceiver,
        with notification: ReceivedNotification,
        at now: Timestamp
    ) -> [DeviceEffect] {
        let app = notification.app
        guard let installed = apps[app] else { return [] }
        let description = installed.description
        let budget = BudgetRule.receiver(receiver, of: description)
        var receiverCalls = receivers[app] ?? ReceiverCalls()
        let decision = ReceiverRules(
            receiver: receiver,
            app: app,
            payload: notification.payload,
            system: system,
            locationAuthorization: description.locationAuthorization ?? .authorizedAlways,
            isInForeground: isInForeground(installed),
            budget: budget,
            pushes: receiverCalls.counted(for: receiver),
            now: now
        ).decision
        received[notification.deviceNotification.id]?.decision.launch = decision
        guard decision.outcome != .dropped else { return [] }
        receiverCalls.record(receiver, within: budget, at: now)
        receivers[app] = receiverCalls
        let (response, pushType) = (notification.response(), notification.pushType)
        guard let function = receiver.extensionFunction else {
            return [call(.didReceiveIncomingPush, of: app, response, pushType: pushType, at: now)]
        }
        return [.notification(.appCalled(app, calls.numbered(function, response, pushType: pushType, at: now).named))]
    }
}
