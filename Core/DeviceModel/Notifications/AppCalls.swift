internal import WaypostSchema

/// The calls of the system that no app has finished yet, in the order in which they happened.
struct AppCalls: Sendable, Codable {
    /// The maximum time that an app has for a call, in milliseconds.
    ///
    /// Apple gives a background update and a service extension 30 seconds. Waypost uses the same limit for the other
    /// functions.
    static let maximumTime = 30_000

    /// The calls of each app, in the order of their numbers and of their deadlines.
    private var calls: [BundleIdentifier: [AppCall]] = [:]

    /// The number of the last call.
    private var last = 0

    /// Continues after the numbers of `other`, so that no number is used twice.
    mutating func continueNumbering(after other: Self) {
        last = max(last, other.last)
    }

    /// Returns the calls that wait for an app.
    func pendingCalls(for app: BundleIdentifier) -> [AppCall] {
        calls[app] ?? []
    }

    /// Adds a call, which expires after `maximumTime`; returns it with its number.
    mutating func add(
        _ function: AppCall.Function,
        of app: BundleIdentifier,
        _ notification: NotificationResponse,
        pushType: PushType?,
        mustReport: Bool?,
        at now: Timestamp
    ) -> AppCall {
        var call = numbered(function, notification, pushType: pushType, at: now)
        call.mustReport = mustReport
        calls[app, default: []].append(call)
        return call
    }

    /// Returns a call with the next number, for which no process is waited.
    mutating func numbered(
        _ function: AppCall.Function,
        _ notification: NotificationResponse,
        pushType: PushType?,
        at now: Timestamp
    ) -> AppCall {
        last += 1
        return AppCall(
            number: last,
            function: function,
            notification: notification,
            pushType: pushType,
            deadline: now.advanced(by: Self.maximumTime)
        )
    }

    /// Removes a call; returns it, or `nil` if it is not there.
    mutating func finish(_ number: Int, of app: BundleIdentifier) -> AppCall? {
        guard let index = calls[app]?.firstIndex(where: { $0.number == number }) else { return nil }
        defer { if calls[app]?.isEmpty == true { calls[app] = nil } }
        return calls[app]?.remove(at: index)
    }

    /// Removes the calls whose time is over; returns them in the order of their numbers.
    mutating func expire(at now: Timestamp) -> [(app: BundleIdentifier, call: AppCall)] {
        var expiredCalls: [(app: BundleIdentifier, call: AppCall)] = []
        for (app, pendingCalls) in calls {
            let dueCalls = pendingCalls.prefix { $0.deadline <= now }
            guard !dueCalls.isEmpty else { continue }
            expiredCalls += dueCalls.map { (app, $0) }
            calls[app] = dueCalls.count == pendingCalls.count ? nil : Array(pendingCalls.dropFirst(dueCalls.count))
        }
        return expiredCalls.sorted { $0.call.number < $1.call.number }
    }

    /// The time at which the next call expires.
    var nextDeadline: Timestamp? {
        calls.values.compactMap(\.first?.deadline).min()
    }

    /// Removes the calls of an app that meet a condition.
    mutating func removeAll(of app: BundleIdentifier, where isRemoved: (AppCall) -> Bool) {
        calls[app]?.removeAll(where: isRemoved)
        if calls[app]?.isEmpty == true { calls[app] = nil }
    }
}
