internal import WaypostSchema

/// How often each device was sent to of late, so that what comes above a rate can be refused.
///
/// It keeps one moment for each device that was sent to within the last second: the one at which everything that was sent to
/// it would have been sent at the rate ("generic cell rate algorithm", ITU-T I.371).
struct DeviceRates: Sendable {
    /// How many notifications a second a device gets, and at once.
    let rate: Int

    /// Devices are looked through for those that are at rest when there are so many, and again when there are twice as many.
    private var capacity = 10_000

    private static let microseconds = 1_000_000

    private struct Device: Hashable {
        var token: DeviceToken
        var namespace: Namespace
    }

    /// The moments, in microseconds of the namespace's clock.
    private var due: [Device: Int] = [:]

    /// Creates the state in which nothing was sent.
    init(rate: Int) {
        self.rate = max(1, min(rate, Self.microseconds))
    }

    /// How many devices it has in mind.
    var known: Int {
        due.count
    }

    /// Counts a notification for a device; whether it is within the rate, and not counted where it is not.
    mutating func admit(_ token: DeviceToken, in namespace: Namespace = .standard, at moment: Timestamp) -> Bool {
        let now = max(0, min(moment.rawValue, Int.max / 2_000)) * 1_000
        let interval = Self.microseconds / rate
        // A clock that was moved back finds moments that are too far away to be true.
        let device = Device(token: token, namespace: namespace)
        let last = due[device].flatMap { $0 - now > Self.microseconds ? nil : $0 } ?? now
        let start = max(last, now)
        guard start - now <= interval * (rate - 1) else { return false }
        if due.count >= capacity {
            due = due.filter { $0.key.namespace != namespace || $0.value > now }
            capacity = max(capacity, 2 * due.count)
        }
        due[device] = start + interval
        return true
    }
}
