internal import PushRules
internal import WaypostSchema

/// Pushes of the types `voip` and `pushtotalk`, for which an app must report a call or a participant.
extension DeviceModel {
    /// Decides whether a push starts its app, and calls it.
    ///
    /// - Parameters:
    ///   - notification: the push.
    ///   - app: the app.
    ///   - mode: the background mode that it needs.
    ///   - now: the time of the device.
    /// - Returns: the effects.
    mutating func receiveIncomingPush(
        _ notification: DeliveredNotification,
        of app: BundleIdentifier,
        for mode: BackgroundMode,
        at now: Timestamp
    ) -> [DeviceEffect] {
        guard let installed = apps[app], let push = received[notification.id] else { return [] }
        let description = installed.description
        let isCounted =
            notification.priority == 10 && IncomingPushDuty.isServiceUpdate(push.pushType, notification.payload)
        let budget = isCounted ? BudgetRule.serviceUpdate(of: description) : nil
        let duty = IncomingPushDuty(for: push.pushType, notification.payload, of: description)
        var decision = LaunchRules(
            app: app,
            modes: description.backgroundModes ?? [],
            mode: mode,
            isRefreshOn: installed.isBackgroundRefreshOn,
            isLowPowerModeOn: isLowPowerModeEnabled,
            isForceQuit: forceQuit.contains(app),
            isInForeground: isInForeground(installed),
            budget: budget,
            launches: receivers[app]?.serviceUpdates ?? CountedPushes(),
            missedCalls: duty == .reportCall ? receivers[app]?.missedCalls ?? 0 : nil,
            now: now
        ).decision
        let callMetadata = mode == .voip ? callMetadata(of: notification, for: installed, at: now) : nil
        if decision.outcome != .dropped, let reason = callMetadata?.reason { decision.explanation += "; \(reason)" }
        received[notification.id]?.decision.launch = decision
        guard decision.outcome != .dropped else { return [] }
        if let budget { receivers[app, default: ReceiverCalls()].recordServiceUpdate(within: budget, at: now) }
        return [
            call(
                .didReceiveIncomingPush,
                of: app,
                push.response(),
                pushType: push.pushType,
                mustReport: callMetadata?.mustReport,
                at: now
            )
        ]
    }

    /// Returns the metadata of a VoIP push; `nil` if the system of the device has none.
    private func callMetadata(
        of notification: DeliveredNotification,
        for app: InstalledApp,
        at now: Timestamp
    ) -> CallMetadata? {
        guard let system, SystemRequirement.mustReport.isMet(by: system) else { return nil }
        return CallMetadata(
            app: app.bundleIdentifier,
            isInForeground: isInForeground(app),
            hasActiveCall: hasActiveCall == true,
            expiration: notification.expiration,
            now: now
        )
    }

    /// Applies the end of the call for a push; the system ends an app that has not done its duty.
    ///
    /// - Parameters:
    ///   - call: the call of the system.
    ///   - app: the app.
    ///   - result: the result of the app, or `nil` if its time is over.
    /// - Returns: the effects.
    mutating func endIncomingPush(
        _ call: AppCall,
        of app: BundleIdentifier,
        with result: AppCallResult?
    ) -> [DeviceEffect] {
        let payload = call.notification.payload
        if IncomingPushDuty.isServiceUpdate(call.pushType, payload), result?.participant?.isEmpty == false {
            received[call.notification.id]?.decision.launch?.explanation +=
                "; it named a participant, but a service update gives no right to talk "
                + "(\(PushTypeContract.serviceUpdates))"
        }
        guard call.mustReport != false, let description = apps[app]?.description,
            let duty = IncomingPushDuty(for: call.pushType, payload, of: description)
        else { return [] }
        received[call.notification.id]?.decision.launch?.explanation += "; \(duty.consequence(of: result))"
        let isFulfilled = duty.isFulfilled(by: result)
        if duty == .reportCall {
            receivers[app, default: ReceiverCalls()].recordReport(isMissing: !isFulfilled)
        }
        guard !isFulfilled else { return [] }
        quit(app)
        return [.notification(.appEnded(app, call))]
    }

    /// Applies the end of the calls whose time is over.
    mutating func expireCalls(at now: Timestamp) -> [DeviceEffect] {
        var effects: [DeviceEffect] = []
        var endedApps: Set<BundleIdentifier> = []
        for (app, call) in calls.expire(at: now) {
            // An app that the system has just ended misses no other call, but its service extension still runs.
            guard !endedApps.contains(app) || call.function == .didReceiveRequest else { continue }
            let callEffects = end(call, of: app, with: nil, at: now)
            for case .notification(.appEnded(let app, _)) in callEffects { endedApps.insert(app) }
            effects += callEffects
        }
        return effects
    }
}
