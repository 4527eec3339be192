internal import WaypostSchema

/// The recent rate of notifications to each device, for refusing those above a limit.
///
/// For each device that got a notification within the last second, it keeps one time: the time at which all its
/// notifications would have been sent at the rate ("generic cell rate algorithm", ITU-T I.371).
struct DeviceRates: Sendable {
    /// The number of notifications per second that a device gets, and the largest burst.
    let rate: Int

    /// The number of devices from which on idle ones are removed; it grows if too few are idle.
    private var pruningThreshold = 10_000

    private static let microsecondsPerSecond = 1_000_000

    private struct Device: Hashable {
        var token: DeviceToken
        var namespace: Namespace
    }

    /// The time of each device, in microseconds of the namespace's clock.
    private var busyUntil: [Device: Int] = [:]

    /// Creates the state in which nothing was sent.
    init(rate: Int) {
        self.rate = max(1, min(rate, Self.microsecondsPerSecond))
    }

    /// The number of devices in memory.
    var deviceCount: Int {
        busyUntil.count
    }

    /// Counts a notification for a device if it is within the rate, and returns whether it is.
    mutating func admit(_ token: DeviceToken, in namespace: Namespace = .standard, at time: Timestamp) -> Bool {
        let now = max(0, min(time.rawValue, Int.max / 2_000)) * 1_000
        let interval = Self.microsecondsPerSecond / rate
        // If a clock was moved back, stored times are too far in the future and are ignored.
        let device = Device(token: token, namespace: namespace)
        let storedTime = busyUntil[device].flatMap { $0 - now > Self.microsecondsPerSecond ? nil : $0 } ?? now
        let start = max(storedTime, now)
        guard start - now <= interval * (rate - 1) else { return false }
        if busyUntil.count >= pruningThreshold {
            busyUntil = busyUntil.filter { $0.key.namespace != namespace || $0.value > now }
            pruningThreshold = max(pruningThreshold, 2 * busyUntil.count)
        }
        busyUntil[device] = start + interval
        return true
    }
}
