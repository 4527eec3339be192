internal import Highlights
public import WaypostSchema

/// The Live Activities of apps, as events and notifications change them.
extension DeviceModel {
    /// The Live Activities on the device, the oldest first.
    public var liveActivities: [LiveActivity] {
        activities.all.map(addingToken)
    }

    /// Returns the rules for the Live Activities of an app.
    func liveActivityRules(of app: BundleIdentifier) -> LiveActivityRules {
        LiveActivityRules(of: app, apps[app]?.description, on: system, isForceQuit: forceQuit.contains(app))
    }

    private func addingToken(to activity: LiveActivity) -> LiveActivity {
        var activity = activity
        activity.token = tokens.token(for: activity.purpose)
        return activity
    }

    /// Returns the effects of changed Live Activities, also those on their tokens.
    mutating func effects(of changedActivities: [LiveActivity]) -> [DeviceEffect] {
        changedActivities.flatMap { activity -> [DeviceEffect] in
            let tokenEffects = updateToken(of: activity)
            return [.notification(.liveActivityChanged(addingToken(to: activity)))] + tokenEffects
        }
    }

    /// Applies a push for a Live Activity, and decides about its alert.
    mutating func applyLiveActivityPush(
        _ notification: DeliveredNotification,
        of app: BundleIdentifier,
        at now: Timestamp
    ) -> [DeviceEffect] {
        let (reaction, activity) = activities.apply(
            notification,
            purpose: tokens.purpose(of: notification.token),
            by: liveActivityRules(of: app),
            at: now
        )
        var decision = reaction
        if decision.outcome == .started, let note = renewStartToken(of: app) { decision.explanation += "; \(note)" }
        received[notification.id]?.decision.liveActivity = decision
        if decision.outcome != .ignored, let receivedNotification = received[notification.id] {
            let content = content(of: receivedNotification)
            var alert = self.decision(on: content, of: app, .notNeeded).applyingForegroundGate(.irrelevant, of: app)
            // A Live Activity has no badge.
            alert.badge = nil
            received[notification.id]?.setContent(content, decision: alert)
        }
        return activity.map { effects(of: [$0]) } ?? []
    }

    mutating func dismissLiveActivity(_ id: NotificationID) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let activity = activities.dismiss(id) else {
            throw IgnoredEvent(reason: .unknownLiveActivity, explanation: "there is no Live Activity \(id)")
        }
        return effects(of: [activity])
    }

    /// Changes the user's choices about the Live Activities of an app; a Live Activity may get a token now.
    mutating func set(
        _ settings: LiveActivitySettings,
        of app: BundleIdentifier
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard apps[app] != nil else { throw .unknown(app) }
        let hadRun = apps[app]?.liveActivitySettings?.hasRun != false
        apps[app]?.liveActivitySettings = settings
        if !hadRun, settings.hasRun != false { requestStartToken(of: app) }
        return activities.all.filter { $0.app == app }.flatMap { updateToken(of: $0) }
    }
}
