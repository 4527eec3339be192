internal import GatewayClient

/// The delays of a slow or lossy link, as a value: decides when bytes that the system received reach the device.
struct LinkShaper {
    /// The number of bytes of a segment on Ethernet.
    private static let segmentSize = 1_448

    /// The minimum time after which TCP sends a segment again, in microseconds (RFC 6298, as Linux sets it).
    private static let minimumRetransmissionTime = 200_000

    private let link: FleetGroup.Link
    private var random: SeededRandom

    /// The time at which the link has delivered all earlier bytes.
    private var busyUntil = 0

    /// Creates the shaper of a link, or `nil` if the link does nothing.
    init?(_ link: FleetGroup.Link, random: SeededRandom) {
        guard link.delay > 0 || link.loss > 0 || link.bandwidth != nil else { return nil }
        self.link = link
        self.random = random
    }

    /// Returns the time at which bytes arrive; bytes never overtake earlier ones.
    ///
    /// - Parameters:
    ///   - count: the number of bytes.
    ///   - now: the time at which the system received them, in microseconds.
    /// - Returns: the time, in microseconds.
    mutating func arrivalTime(ofBytes count: Int, at now: Int) -> Int {
        var time = max(now + link.delay, busyUntil)
        if let bandwidth = link.bandwidth { time += count * 1_000_000 / bandwidth }
        for _ in 0..<(count + Self.segmentSize - 1) / Self.segmentSize where random.nextBool(probability: link.loss) {
            time += max(Self.minimumRetransmissionTime, 2 * link.delay)
        }
        busyUntil = time
        return time
    }
}
