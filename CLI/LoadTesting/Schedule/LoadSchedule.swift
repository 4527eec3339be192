internal import Fleets
internal import GatewayClient

/// The rate of a load test over time: at which time each request begins, whatever the gateway does.
///
/// The rate changes evenly in each segment. The number of items up to a time is the integral of the rate, so the time of an
/// item is the inverse of that.
package struct LoadSchedule: Sendable, Equatable {
    /// A part of the schedule, in which the rate changes evenly.
    package struct Segment: Sendable, Equatable {
        /// The length, in seconds.
        package var seconds: Double

        /// The rate at the beginning, in items per second.
        package var startRate: Double

        /// The rate at the end, in items per second.
        package var endRate: Double

        /// Creates the segment from its parts.
        package init(seconds: Double, startRate: Double, endRate: Double) {
            (self.seconds, self.startRate, self.endRate) = (seconds, startRate, endRate)
        }

        var itemCount: Double {
            seconds * (startRate + endRate) / 2
        }

        /// Returns the time in this segment at which a number of its items is reached.
        func time(ofItem number: Double) -> Double {
            let growth = (endRate - startRate) / seconds
            guard abs(growth) > 1e-12 else { return number / startRate }
            // The solution of startRate·t + growth·t²/2 = number.
            return ((startRate * startRate + 2 * growth * number).squareRoot() - startRate) / growth
        }
    }

    /// The parts, one after another.
    package var segments: [Segment]

    /// Whether the times vary as those of independent senders do (a Poisson process).
    package var isRandom = false

    /// Creates a schedule from its parts.
    package init(_ segments: [Segment], isRandom: Bool = false) {
        (self.segments, self.isRandom) = (segments, isRandom)
    }

    /// The length, in seconds.
    package var seconds: Double {
        segments.reduce(0) { $0 + $1.seconds }
    }

    /// The number of items.
    package var itemCount: Double {
        segments.reduce(0) { $0 + $1.itemCount }
    }

    /// Returns the time at which a number of items is reached, in seconds, or `nil` after the end.
    package func time(ofItem number: Double) -> Double? {
        var (remainingItems, start) = (number, 0.0)
        for segment in segments {
            if remainingItems < segment.itemCount { return start + segment.time(ofItem: remainingItems) }
            remainingItems -= segment.itemCount
            start += segment.seconds
        }
        return nil
    }

    /// Returns the schedule with a part before it, in which the rate is that of its beginning.
    package func preceded(bySeconds seconds: Double) -> Self {
        guard seconds > 0, let rate = segments.first?.startRate else { return self }
        return Self([Segment(seconds: seconds, startRate: rate, endRate: rate)] + segments, isRandom: isRandom)
    }
}

/// The times at which the requests of a schedule begin.
struct ScheduledRequestTimes: Sequence, IteratorProtocol {
    private let schedule: LoadSchedule
    private let itemsPerRequest: Int
    private var random: SeededRandom

    /// The number of items before the next request.
    private var itemCount = 0.0
    private var nextTime: Int?

    init(_ schedule: LoadSchedule, itemsPerRequest: Int, seed: Int) {
        self.schedule = schedule
        self.itemsPerRequest = itemsPerRequest
        random = SeededRandom(seed: seed)
        nextTime = makeNextTime()
    }

    /// The time of the next request, in microseconds, or `nil` at the end.
    var upcomingTime: Int? {
        nextTime
    }

    /// Returns the time of the next request, and advances to the one after it.
    mutating func next() -> Int? {
        defer { nextTime = makeNextTime() }
        return nextTime
    }

    private mutating func makeNextTime() -> Int? {
        if schedule.isRandom { itemCount += nextItemGap() }
        guard let time = schedule.time(ofItem: itemCount) else { return nil }
        if !schedule.isRandom { itemCount += Double(itemsPerRequest) }
        return Int(time * 1_000_000)
    }

    /// Returns the number of items between two requests of a Poisson process, which are distributed exponentially.
    private mutating func nextItemGap() -> Double {
        -Double(itemsPerRequest) * naturalLogarithm(1 - random.nextShare())
    }
}
