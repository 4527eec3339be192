internal import GatewayStore
internal import WaypostSchema

/// One agent's open stream, as a value: what was sent on it, and what is still to be sent.
struct DeviceSession: Sendable {
    /// What the gateway tells a stream.
    enum Signal {
        /// There may be something to send.
        case somethingNew

        /// Another stream takes this one's place, or its agent is gone.
        case ended
    }

    /// Where the inbox is read next.
    struct Position: Equatable {
        /// The sequence behind which it is read.
        var sequence: Int

        /// How often reading began anew, so that a page that was read before that does not move the position.
        var rewinds = 0
    }

    /// What tells this stream from those before and after it.
    let number: Int

    /// The sequence behind which the stream began.
    private let start: Int

    /// Where the inbox is read next.
    private(set) var position: Position

    /// What was sent out of the inbox and not acknowledged, with its batch.
    private(set) var sent: [Int: BatchNumber] = [:]

    /// What is now or never: what is to be sent, in order, and what was sent and not acknowledged.
    private(set) var waiting: [StoredNotification] = []
    private(set) var flying: [Int: StoredNotification] = [:]

    let signal: @Sendable (Signal) -> Void

    /// Creates a stream behind sequence `start`, which carries on with what its predecessor had in the air.
    init(
        number: Int,
        after start: Int,
        inheriting flights: [StoredNotification],
        signal: @escaping @Sendable (Signal) -> Void
    ) {
        self.number = number
        self.start = start
        self.signal = signal
        position = Position(sequence: start)
        waiting = flights
    }

    /// What is now or never and was not acknowledged.
    var flights: [StoredNotification] {
        flying.values.sorted { $0.sequence < $1.sequence } + waiting
    }

    /// Adds something that is now or never.
    mutating func add(_ flight: StoredNotification) {
        waiting.append(flight)
    }

    /// Returns what of a page of the inbox, read behind `position`, is to be sent now, and notes it as sent.
    ///
    /// What was sent before and is not acknowledged is passed over: reading may have begun anew. Where it did while the
    /// page was read, it begins there all the same.
    mutating func send(_ page: [StoredNotification], readBehind position: Position) -> [StoredNotification] {
        let fresh = page.filter { sent[$0.sequence] == nil }
        for notification in fresh { sent[notification.sequence] = notification.batch }
        if position == self.position { self.position.sequence = page.last?.sequence ?? position.sequence }
        let flights = waiting
        for flight in flights { flying[flight.sequence] = flight }
        waiting = []
        return flights + fresh
    }

    /// Reads the inbox again from where the stream began, because something in it does not wait any more.
    mutating func rewind() {
        position = Position(sequence: start, rewinds: position.rewinds + 1)
    }

    /// The sequences that a cumulative acknowledgement up to `sequence` covers: what was sent on this stream, so that it
    /// never swallows what was held back.
    func covered(upTo sequence: Int) -> [Int] {
        (sent.keys.filter { $0 <= sequence } + flying.keys.filter { $0 <= sequence }).sorted()
    }

    /// Forgets what left the inbox.
    mutating func forget(_ sequence: Int) {
        sent[sequence] = nil
    }

    /// Takes what is now or never and `isEnding` out of the air.
    mutating func endFlights(where isEnding: (StoredNotification) -> Bool) -> [StoredNotification] {
        let ended = flights.filter(isEnding)
        waiting.removeAll(where: isEnding)
        for flight in ended { flying[flight.sequence] = nil }
        return ended
    }

    /// Takes what is now or never, was sent and is acknowledged out of the air.
    mutating func land(_ sequences: [Int]) -> [StoredNotification] {
        sequences.compactMap { flying.removeValue(forKey: $0) }
    }
}
