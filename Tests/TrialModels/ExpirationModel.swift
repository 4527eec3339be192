/// The rules of expirations and of the order of an agent with one stream at a time.
///
/// The clock of its namespace may be manual or the system's, and may go back.
package struct ExpirationModel: Sendable {
    /// An item that was accepted.
    private struct Item {
        /// The expiration in seconds; `nil` for none.
        var expiration: Int?

        /// The number of the last reading of the clock before the item was sent.
        var reading: Int

        /// Whether the agent has received it.
        var isReceived = false

        /// The state that it cannot leave.
        var finalState: LoggedItem.State?
    }

    /// An event stream of the agent.
    package struct Stream: Sendable {
        /// The number of a reading of the clock that precedes everything that the stream sends from now on.
        fileprivate var reading: Int
    }

    /// The readings of the clock.
    package private(set) var clock: ClockReadings

    private var items: [String: Item] = [:]

    /// The highest sequence of an item that the agent has received for the first time.
    private var highestSequence = 0

    /// Creates a model without items.
    package init(_ clock: ClockReadings) {
        self.clock = clock
    }

    /// The number of items.
    package var count: Int {
        items.count
    }

    /// The expirations, in seconds, of the items that have not expired for certain.
    package var nextExpirations: [Int] {
        items.values.compactMap(\.expiration).filter { $0 * 1_000 > clock.now }.sorted()
    }

    /// Adds a reading of the clock.
    package mutating func readClock(_ reading: ClosedRange<Int>) {
        clock.add(reading)
    }

    /// Adds an item that is about to be sent.
    package mutating func send(_ id: String, expiration: Int?) {
        items[id] = Item(expiration: expiration, reading: clock.last)
    }

    /// Returns a stream that is about to be opened.
    package func stream() -> Stream {
        Stream(reading: clock.last)
    }

    /// Returns whether the agent has received an item.
    package func hasReceived(_ id: String) -> Bool {
        items[id]?.isReceived ?? false
    }

    /// Records an item that arrives on a stream.
    ///
    /// - Parameters:
    ///   - id: The identifier of the item.
    ///   - sequence: Its sequence.
    ///   - stream: The stream.
    /// - Returns: The violation; `nil` if there is none.
    package mutating func receive(_ id: String, sequence: Int, on stream: inout Stream) -> String? {
        guard let item = items[id] else { return "item \(id), which was not sent, was delivered" }
        if let expiration = item.expiration, expiration * 1_000 <= clock.earliest(since: stream.reading) {
            return """
                item \(id) was delivered after its expiration at \(expiration) s: its stream opened, or sent a later \
                item, when the clock showed at least \(clock.earliest(since: stream.reading)) ms
                """
        }
        if item.finalState == .expired { return "item \(id) was delivered after it was logged as expired" }
        // The stream sent this item after it was accepted, and so everything that follows.
        stream.reading = max(stream.reading, item.reading)
        guard !item.isReceived else { return nil }
        items[id]?.isReceived = true
        defer { highestSequence = max(highestSequence, sequence) }
        guard sequence > highestSequence || mayHaveSeemedExpired(item) else {
            return "item \(id) with sequence \(sequence) was first delivered after sequence \(highestSequence)"
        }
        return nil
    }

    /// Returns whether a stream may have skipped an item as expired, before the clock went back.
    private func mayHaveSeemedExpired(_ item: Item) -> Bool {
        item.expiration.map { $0 * 1_000 <= clock.latest(since: item.reading) } ?? false
    }
}

// MARK: The delivery log

/// An item as the delivery log shows it.
package struct LoggedItem: Sendable {
    /// The states that the model distinguishes.
    package enum State: Sendable, Equatable {
        /// The item waits, whether or not it was sent.
        case open

        /// The device acknowledged it.
        case acknowledged

        /// It expired.
        case expired

        /// Another state, by its name.
        case other(String)
    }

    /// The identifier.
    package var id: String

    /// The state.
    package var state: State

    /// The time at which the item was first sent, in milliseconds; `nil` if it was not.
    package var sentAt: Int?

    /// The time at which the item reached its last state, in milliseconds.
    package var changedAt: Int

    /// Creates an item.
    package init(id: String, state: State, sentAt: Int?, changedAt: Int) {
        (self.id, self.state, self.sentAt, self.changedAt) = (id, state, sentAt, changedAt)
    }
}

extension ExpirationModel {
    /// Checks the whole log of the namespace.
    ///
    /// - Parameters:
    ///   - log: The items that the log has.
    ///   - isSwept: Whether the gateway has removed all that is expired.
    /// - Returns: The violations.
    package mutating func check(_ log: [LoggedItem], isSwept: Bool) -> [String] {
        let absent = Set(items.keys).subtracting(log.map(\.id)).sorted()
        var violations = absent.map { "item \($0) is not in the log" }
        for logged in log {
            if let violation = violation(of: logged, isSwept: isSwept) { violations.append(violation) }
            if logged.state != .open { items[logged.id]?.finalState = logged.state }
        }
        return violations
    }

    private func violation(of logged: LoggedItem, isSwept: Bool) -> String? {
        let id = logged.id
        guard let item = items[id] else { return "item \(id), which was not sent, is in the log" }
        if let state = item.finalState, state != logged.state {
            return "item \(id) was \(state), and is \(logged.state)"
        }
        let deadline = item.expiration.map { $0 * 1_000 }
        if let deadline, let sentAt = logged.sentAt, sentAt >= deadline {
            return "item \(id) was first sent at \(sentAt) ms, after its expiration at \(deadline) ms"
        }
        switch logged.state {
        case .open:
            guard isSwept, let deadline, deadline <= clock.now else { return nil }
            return "item \(id) expired at \(deadline) ms and is open at \(clock.now) ms or later"
        case .acknowledged:
            return item.isReceived ? nil : "item \(id) is acknowledged, but was not received"
        case .expired:
            guard let deadline else { return "item \(id) has no expiration and is expired" }
            guard deadline <= clock.latest else {
                return "item \(id) expires at \(deadline) ms, but is expired at \(clock.latest) ms or earlier"
            }
            guard deadline <= logged.changedAt else {
                return "item \(id) expires at \(deadline) ms, but the log has its end at \(logged.changedAt) ms"
            }
            return nil
        case .other(let state): return "item \(id) is \(state)"
        }
    }

    /// Returns the violations of an inbox from which everything that is expired was removed.
    package func violations(inInbox ids: [String]) -> [String] {
        ids.compactMap { id in
            guard let item = items[id] else { return "item \(id), which was not sent, is in the inbox" }
            guard let expiration = item.expiration, expiration * 1_000 <= clock.now else { return nil }
            return "item \(id) expired at \(expiration) s and is in the inbox at \(clock.now) ms or later"
        }
    }
}
