internal import WaypostSchema

/// The calls of the system that no app has finished yet, in the order in which they happened.
struct AppCalls: Sendable, Codable {
    /// The longest time that an app has for a call, in milliseconds.
    ///
    /// Apple gives a background update and a service extension 30 seconds. That it is the same for the other functions is
    /// ours.
    static let limit = 30_000

    /// The calls of each app, in the order of their numbers and of their deadlines.
    private var calls: [BundleIdentifier: [AppCall]] = [:]
    private var last = 0

    /// Goes on with the numbers of another queue, so that none is used twice.
    mutating func goOn(after other: Self) {
        last = max(last, other.last)
    }

    /// Returns the calls that wait for an app.
    func waiting(for app: BundleIdentifier) -> [AppCall] {
        calls[app] ?? []
    }

    /// Adds a call, which expires after the limit; returns it with its number.
    mutating func add(
        _ function: AppCall.Function,
        of app: BundleIdentifier,
        _ notification: NotificationResponse,
        _ pushType: PushType?,
        at now: Timestamp
    ) -> AppCall {
        last += 1
        let call = AppCall(
            number: last,
            function: function,
            notification: notification,
            pushType: pushType,
            deadline: now.advanced(by: Self.limit)
        )
        calls[app, default: []].append(call)
        return call
    }

    /// Removes a call; returns it, or `nil` if it is not there.
    mutating func finish(_ number: Int, of app: BundleIdentifier) -> AppCall? {
        guard let index = calls[app]?.firstIndex(where: { $0.number == number }) else { return nil }
        defer { if calls[app]?.isEmpty == true { calls[app] = nil } }
        return calls[app]?.remove(at: index)
    }

    /// Removes the first call whose time is over.
    mutating func expire(at now: Timestamp) -> (app: BundleIdentifier, call: AppCall)? {
        let oldest = calls.compactMap { app, calls in calls.first.map { (app: app, call: $0) } }
            .min { ($0.call.deadline, $0.call.number) < ($1.call.deadline, $1.call.number) }
        guard let due = oldest, due.call.deadline <= now else { return nil }
        _ = finish(due.call.number, of: due.app)
        return due
    }

    /// The time at which the next call expires.
    var nextDeadline: Timestamp? {
        calls.values.compactMap(\.first?.deadline).min()
    }

    /// Removes the calls of an app that meet a condition.
    mutating func removeAll(of app: BundleIdentifier, if isGone: (AppCall) -> Bool) {
        calls[app]?.removeAll(where: isGone)
        if calls[app]?.isEmpty == true { calls[app] = nil }
    }
}
