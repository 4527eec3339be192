package import WaypostSchema

/// The `timestamp` of a push for a Live Activity, compared with the clock of the device.
///
/// A device drops a push whose timestamp is more than eight hours ahead, which is usually one in milliseconds. It
/// applies an `end` with an old timestamp. An engineer of Apple states both (forum thread 776165).
package struct LiveActivityTimestamp: Sendable {
    /// The maximum number of hours by which a timestamp may be ahead of the clock.
    package static let maximumHoursAhead = 8

    /// The timestamp, in seconds since 1970.
    private let seconds: Int

    /// The time of the device, in seconds since 1970.
    private let now: Int

    /// Creates the value from its parts.
    ///
    /// - Parameters:
    ///   - seconds: the timestamp, in seconds since 1970.
    ///   - now: the time of the device.
    package init(_ seconds: Int, at now: Timestamp) {
        self.seconds = seconds
        self.now = now.seconds
    }

    /// Whether the timestamp is so far ahead of the clock that a device drops the push.
    package var isTooFarAhead: Bool {
        seconds > now + Self.maximumHoursAhead * 3_600
    }

    /// A sentence that says how far ahead the timestamp is; for one in milliseconds, it has the seconds.
    package var excess: String {
        // A timestamp may be any number, so the difference may not fit.
        let (difference, isTooLarge) = seconds.subtractingReportingOverflow(now)
        let hours = (isTooLarge ? Int.max : difference) / 3_600
        let unit = "a timestamp is Unix seconds"
        let advice =
            seconds < HeaderCheck.firstMilliseconds
            ? unit : "\(unit), and this one is in milliseconds: in seconds it is \(seconds / 1_000)"
        return "the timestamp \(seconds) is \(hours) hours ahead of the device's clock; \(advice)"
    }
}
