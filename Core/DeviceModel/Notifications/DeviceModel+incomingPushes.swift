internal import WaypostSchema

/// Pushes of the types `voip` and `pushtotalk`, for which an app must report a call or a participant.
extension DeviceModel {
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
        guard let description = apps[app]?.description,
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
