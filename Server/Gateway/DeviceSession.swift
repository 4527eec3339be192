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

    /// A notification of the inbox that was sent.
    struct Sent: Equatable {
        /// The batch it came in.
        var batch: BatchNumber

        /// How many were sent before it.
        var turn: Int
    }

    /// What tells this stream from those before and after it.
    let number: Int

    /// Where the inbox is read next.
    private(set) var position: Position

    /// What was sent out of the inbox and not acknowledged, with its batch and its turn.
    private(set) var sent: [Int: Sent] = [:]

    /// What is now or never: what is to be sent, in order, and what was sent and not acknowledged.
    private(set) var waiting: [StoredNotification] = []
    private(set) var flying: [Int: (notification: StoredNotification, turn: Int)] = [:]

    /// How many notifications were sent.
    private var turns = 0

    /// What left the inbox while a page of it was being read, and may be on that page.
    private var departedMeanwhile: Set<Int> = []
    private var isReading = false

    let signal: @Sendable (Signal) -> Void

    /// Creates a stream behind sequence `start`, which carries on with what its predecessor had in the air.
    init(
        number: Int,
        after start: Int,
        inheriting flights: [StoredNotification],
        signal: @escaping @Sendable (Signal) -> Void
    ) {
        self.number = number
        self.signal = signal
        position = Position(sequence: start)
        waiting = flights
    }

    /// What is now or never and was not acknowledged.
    var flights: [StoredNotification] {
        flying.values.map(\.notification).sorted { $0.sequence < $1.sequence } + waiting
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
        let fresh = page.filter { sent[$0.sequence] == nil && !departedMeanwhile.contains($0.sequence) }
        (isReading, departedMeanwhile) = (false, [])
        if position == self.position { self.position.sequence = page.last?.sequence ?? position.sequence }
        let flights = waiting
        waiting = []
        for flight in flights { flying[flight.sequence] = (flight, nextTurn()) }
        for notification in fresh {
            sent[notification.sequence] = Sent(batch: notification.batch, turn: nextTurn())
        }
        return flights + fresh
    }

    private mutating func nextTurn() -> Int {
        turns += 1
        return turns
    }

    /// Begins to read a page of the inbox, and returns behind what.
    mutating func beginReading() -> Position {
        isReading = true
        return position
    }

    /// Reads the inbox again from its start, because something in it does not wait any more.
    mutating func rewind() {
        position = Position(sequence: 0, rewinds: position.rewinds + 1)
    }

    /// The sequences that a cumulative acknowledgement up to `sequence` covers: what has no greater one and was sent on this
    /// stream, and not after `sequence` itself was.
    ///
    /// So it never swallows what was held back, nor what is still on its way: sequences do not always grow along a stream.
    func covered(upTo sequence: Int) -> [Int] {
        let last = sent[sequence]?.turn ?? flying[sequence]?.turn ?? .max
        let stored = sent.filter { $0.key <= sequence && $0.value.turn <= last }.keys
        let flights = flying.filter { $0.key <= sequence && $0.value.turn <= last }.keys
        return (Array(stored) + Array(flights)).sorted()
    }

    /// Forgets what left the inbox.
    mutating func forget(_ sequence: Int) {
        sent[sequence] = nil
        if isReading { departedMeanwhile.insert(sequence) }
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
        sequences.compactMap { flying.removeValue(forKey: $0)?.notification }
    }
}
