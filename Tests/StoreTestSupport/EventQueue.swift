import GatewayStore
import Synchronization
import WaypostTestSupport

/// The events of one handle: late, some twice, and some lost, with a gap in their place.
final class EventQueue: Sendable {
    private struct State {
        let isLosing: Bool
        var events: [StoreEvent] = []

        /// The number of events that the reader has processed.
        var processed = 0

        /// For each agent, the number of events up to the last one that nudges it.
        var nudged: [AgentID: Int] = [:]

        /// Chooses what happens to each event; `nil` if they arrive as they are.
        var generator: SeededGenerator?

        mutating func add(_ event: StoreEvent) {
            switch generator?.next(below: 8) {
            case 0 where isLosing: events.append(.gap)
            case 1: events += [event, event]
            default: events.append(event)
            }
            guard case .changed(let changes, _) = event else { return }
            for agent in changes.nudges { nudged[agent] = events.count }
        }
    }

    private let state: Mutex<State>
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// Creates an empty queue; `seed` determines what happens to the events.
    init(_ seed: UInt64?, losing isLosing: Bool) {
        state = Mutex(State(isLosing: isLosing, generator: seed.map(SeededGenerator.init)))
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The events, for one reader.
    var events: AsyncStream<StoreEvent> {
        let taken = Mutex(0)
        return AsyncStream { [self] in
            for _ in 0..<state.withLock({ $0.generator?.next(below: 20) ?? 0 }) { await Task.yield() }
            let count = taken.withLock(\.self)
            state.withLock { $0.processed = count }
            while true {
                if let event = state.withLock({ count < $0.events.count ? $0.events[count] : nil }) {
                    taken.withLock { $0 += 1 }
                    return event
                }
                var next = signals.makeAsyncIterator()
                guard await next.next() != nil else { return nil }
            }
        }
    }

    /// Adds events.
    func add(_ events: [StoreEvent]) {
        state.withLock { state in
            for event in events { state.add(event) }
        }
        signal.yield()
    }

    /// Adds an event that arrives once, whatever happens to others.
    func addWithoutLoss(_ event: StoreEvent) {
        state.withLock { $0.events.append(event) }
        signal.yield()
    }

    /// Whether the reader has yet to process an event that nudges an agent.
    func isLate(_ agent: AgentID) -> Bool {
        state.withLock { $0.nudged[agent] ?? 0 > $0.processed }
    }
}

extension SeededGenerator {
    /// Returns a number from 0 to `limit` - 1.
    mutating func next(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &self)
    }
}
