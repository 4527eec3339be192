internal import Highlights
public import WaypostSchema

/// The calls of the system to apps: background launches, actions and answers.
extension DeviceModel {
    /// Returns the calls that no process of an app has finished yet, in the order in which they happened.
    public func calls(of app: BundleIdentifier) -> [AppCall] {
        calls.pendingCalls(for: app)
    }

    /// Calls a function of an app.
    mutating func call(
        _ function: AppCall.Function,
        of app: BundleIdentifier,
        _ notification: NotificationResponse,
        pushType: PushType? = nil,
        mustReport: Bool? = nil,
        at now: Timestamp
    ) -> DeviceEffect {
        // An app that the system has started for the user or for a call runs again.
        if function == .didReceiveResponse || function == .didReceiveIncomingPush { forceQuit.remove(app) }
        // The service extension is a process of its own.
        if function != .didReceiveRequest { recordRun(of: app) }
        let call = calls.add(function, of: app, notification, pushType: pushType, mustReport: mustReport, at: now)
        return .notification(.appCalled(app, call))
    }

    mutating func finish(
        _ number: Int,
        of app: BundleIdentifier,
        with result: AppCallResult,
        at now: Timestamp
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard apps[app] != nil else { throw .unknown(app) }
        guard let call = calls.finish(number, of: app) else {
            let explanation = "no call \(number) waits for the app \(app): it is finished, or its time is over"
            throw IgnoredEvent(reason: .unknownCall, explanation: explanation)
        }
        return end(call, of: app, with: result, at: now)
    }

    /// Applies the passing of time to calls, Live Activities and waiting launches, each at its time.
    mutating func advanceNotifications(to now: Timestamp) -> [DeviceEffect] {
        var effects: [DeviceEffect] = []
        while let next = nextNotificationDeadline, next <= now {
            effects += expireCalls(at: next)
            let changedActivities = activities.advance(to: next)
            effects += self.effects(of: changedActivities)
            effects += reconsiderLaunches(at: next) { $0.until.map { $0 <= next } ?? false }
        }
        return effects
    }

    /// The next time at which a call, a Live Activity or a waiting launch changes something.
    var nextNotificationDeadline: Timestamp? {
        let launch = launches.values.compactMap(\.held?.until).min()
        return [calls.nextDeadline, activities.nextDeadline, launch].compactMap(\.self).min()
    }

    // MARK: Background launches

    /// Starts the app of a background notification, or lets the notification wait.
    mutating func startApp(for notification: ReceivedNotification, at now: Timestamp) -> [DeviceEffect] {
        guard NotificationContent(payload: notification.payload).isContentAvailable else { return [] }
        let (response, pushType) = (notification.response(), notification.pushType)
        return launch(response, pushType, of: notification.app, at: now)
    }

    /// Decides whether a background notification starts its app, and calls it.
    mutating func launch(
        _ response: NotificationResponse,
        _ pushType: PushType?,
        of app: BundleIdentifier,
        at now: Timestamp
    ) -> [DeviceEffect] {
        guard let installed = apps[app] else {
            launches[app] = nil
            return []
        }
        let description = installed.description
        let budget = BudgetRule.background(of: description)
        var decision = LaunchRules(
            app: app,
            modes: description.backgroundModes ?? [],
            mode: .remoteNotification,
            isRefreshOn: installed.isBackgroundRefreshOn,
            isLowPowerModeOn: isLowPowerModeEnabled,
            isForceQuit: forceQuit.contains(app),
            isInForeground: isInForeground(installed),
            budget: budget,
            launches: launches[app]?.counted ?? CountedPushes(),
            missedCalls: nil,
            now: now
        ).decision
        let isCalled = decision.outcome == .launched || decision.outcome == .delivered
        if isCalled, launches[app]?.held?.response == response { decision.explanation += ", after it waited" }
        received[response.id]?.decision.launch = decision
        recordLaunch(decision, of: response, pushType, app: app, within: budget, at: now)
        return isCalled ? [call(.didReceiveRemoteNotification, of: app, response, pushType: pushType, at: now)] : []
    }

    /// Counts a launch, or lets the notification wait; an older one that waits is dropped.
    private mutating func recordLaunch(
        _ decision: LaunchDecision,
        of response: NotificationResponse,
        _ pushType: PushType?,
        app: BundleIdentifier,
        within budget: BudgetRule?,
        at now: Timestamp
    ) {
        var appLaunches = launches[app] ?? BackgroundLaunches()
        if let olderNotification = appLaunches.held, olderNotification.response.id != response.id {
            let reason = "a newer notification, \(response.id), replaced it while it waited"
            dropWaitingNotification(olderNotification, reason: reason)
        }
        let isOverBudget = decision.gates.contains { $0.gate == .budget && $0.status == .fail }
        let waitingNotification = BackgroundLaunches.WaitingNotification(
            response: response,
            pushType: pushType,
            until: isOverBudget ? budget.flatMap { appLaunches.counted.nextTime(within: $0) } : nil
        )
        appLaunches.held = decision.outcome == .held ? waitingNotification : nil
        if decision.outcome == .launched, let budget { appLaunches.counted.record(within: budget, at: now) }
        launches[app] = appLaunches
    }

    /// Records that a notification that waited does not reach its app.
    mutating func dropWaitingNotification(_ notification: BackgroundLaunches.WaitingNotification?, reason: String) {
        guard let id = notification?.response.id else { return }
        received[id]?.decision.launch?.outcome = .dropped
        received[id]?.decision.launch?.explanation = reason
    }

    /// Decides again about the notifications that wait for a launch, or about some of them.
    mutating func reconsiderLaunches(
        at now: Timestamp,
        if isDue: (BackgroundLaunches.WaitingNotification) -> Bool = { _ in true }
    ) -> [DeviceEffect] {
        let waitingNotifications = launches.compactMap { app, state in state.held.map { (app: app, held: $0) } }
        let dueNotifications = waitingNotifications.filter { isDue($0.held) }
            .sorted { $0.app.rawValue < $1.app.rawValue }
        return dueNotifications.flatMap { app, held in
            launch(held.response, held.pushType, of: app, at: now)
        }
    }

    /// Returns whether the user sees an app; a locked device shows none.
    func isInForeground(_ app: InstalledApp) -> Bool {
        app.isInForeground && !isLocked
    }

    /// Forces an app to quit.
    mutating func forceQuit(_ app: BundleIdentifier) throws(IgnoredEvent) {
        guard apps[app] != nil else { throw .unknown(app) }
        quit(app)
        forceQuit.insert(app)
    }

    /// Ends an app: its scenes are disconnected, and what waits for its process is gone.
    mutating func quit(_ app: BundleIdentifier) {
        apps[app]?.disconnectScenes()
        expandedShelves.remove(app)
        waiting.removeAll(of: app)
        removeCalls(of: app)
    }

    /// Removes the calls of an app, but not those of its service extension, for which notifications wait.
    mutating func removeCalls(of app: BundleIdentifier) {
        calls.removeAll(of: app, where: { $0.function != .didReceiveRequest })
    }

    mutating func setBackgroundRefresh(_ isOn: Bool, of app: BundleIdentifier) throws(IgnoredEvent) {
        guard apps[app] != nil else { throw .unknown(app) }
        apps[app]?.isBackgroundRefreshOn = isOn
    }

    // MARK: Actions

    /// Performs the action of a notification that the user chose.
    mutating func performAction(
        _ identifier: String,
        _ text: String?,
        of id: NotificationID,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        let notification = try readyNotification(id)
        let action = try action(identifier, of: notification)
        guard (action.textInputButtonTitle != nil) == (text != nil) else {
            let need = text == nil ? "needs a text" : "takes no text"
            throw IgnoredEvent(reason: .unusableText, explanation: "the action '\(identifier)' \(need)")
        }
        let options = action.options ?? []
        if isLocked, options.contains(.authenticationRequired) || options.contains(.foreground) {
            throw IgnoredEvent(reason: .locked, explanation: "the action '\(identifier)' needs an unlocked device")
        }
        let response = notification.response(to: identifier, text)
        if options.contains(.foreground) { return try open(id, with: response, at: now) }
        return call(.didReceiveResponse, of: notification.app, response, at: now)
    }

    /// Returns a notification that the user sees.
    ///
    /// - Throws: `IgnoredEvent` if it is not there, or waits for its service extension.
    func readyNotification(_ id: NotificationID) throws(IgnoredEvent) -> ReceivedNotification {
        guard let notification = received[id], notification.isListed else { throw .unknown(id) }
        guard notification.serviceExtension != .working else {
            let explanation = "the notification \(id) waits for the service extension of \(notification.app)"
            throw IgnoredEvent(reason: .waitsForExtension, explanation: explanation)
        }
        return notification
    }

    private func category(of notification: ReceivedNotification) -> NotificationCategory? {
        apps[notification.app]?.description.notificationCategories?.first {
            $0.identifier == notification.deviceNotification.categoryIdentifier
        }
    }

    private func action(
        _ identifier: String,
        of notification: ReceivedNotification
    ) throws(IgnoredEvent) -> NotificationAction {
        let (name, category) = (notification.deviceNotification.categoryIdentifier, category(of: notification))
        if let action = category?.actions.first(where: { $0.identifier == identifier }) { return action }
        let identifiers = category?.actions.map { "'\($0.identifier)'" }.joined(separator: ", ")
        let reason =
            identifiers.map { "its category '\(name ?? "")' has \($0.isEmpty ? "none" : $0)" }
            ?? name.map { "the app has no category '\($0)'" } ?? "its payload has no category"
        let explanation =
            "the notification \(notification.deviceNotification.id) has no action '\(identifier)': \(reason)"
        throw IgnoredEvent(reason: .unknownAction, explanation: explanation)
    }

    /// Dismisses a notification; its app is called if the category says so.
    mutating func dismiss(_ id: NotificationID, at now: Timestamp) throws(IgnoredEvent) -> [DeviceEffect] {
        let notification = try readyNotification(id)
        _ = received.dismiss(id)
        guard category(of: notification)?.customDismissAction == true else { return [] }
        let response = notification.response(to: NotificationResponse.dismissAction)
        return [call(.didReceiveResponse, of: notification.app, response, at: now)]
    }
}

extension NotificationResponse {
    /// The action of a dismissed notification (`UNNotificationDismissActionIdentifier`).
    static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"
}
