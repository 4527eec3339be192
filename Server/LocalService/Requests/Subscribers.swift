internal import Synchronization

/// Subscribers, grouped by the key that they subscribed to.
package final class Subscribers<Key: Hashable & Sendable, Subscriber: Sendable>: Sendable {
    private struct State {
        var subscribers: [Key: [Int: Subscriber]] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Creates a registry without subscribers.
    package init() {}

    /// Adds a subscriber and returns its identifier, for removal.
    package func add(_ subscriber: Subscriber, to key: Key) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.subscribers[key, default: [:]][state.lastID] = subscriber
            return state.lastID
        }
    }

    /// Removes a subscriber and returns it, or `nil` if it was already removed.
    @discardableResult
    package func remove(_ id: Int, from key: Key) -> Subscriber? {
        state.withLock { state in
            let removed = state.subscribers[key]?.removeValue(forKey: id)
            if state.subscribers[key]?.isEmpty == true { state.subscribers[key] = nil }
            return removed
        }
    }

    /// Returns the subscribers of several keys.
    package func subscribers(of keys: some Sequence<Key>) -> [Subscriber] {
        state.withLock { state in keys.flatMap { state.subscribers[$0].map { Array($0.values) } ?? [] } }
    }

    /// The subscribers of a key.
    package subscript(key: Key) -> [Subscriber] {
        subscribers(of: CollectionOfOne(key))
    }

    /// All subscribers.
    package var all: [Subscriber] {
        state.withLock { $0.subscribers.values.flatMap(\.values) }
    }

    /// The number of subscribers.
    package var count: Int {
        state.withLock { $0.subscribers.values.reduce(0) { $0 + $1.count } }
    }
}

/// The key for subscribers that are all of one kind.
package enum Unkeyed: Hashable, Sendable {
    /// The only key.
    case all
}

extension Subscribers where Key == Unkeyed {
    /// Adds a subscriber and returns its identifier, for removal.
    package func add(_ subscriber: Subscriber) -> Int {
        add(subscriber, to: .all)
    }

    /// Removes a subscriber and returns it, or `nil` if it was already removed.
    @discardableResult
    package func remove(_ id: Int) -> Subscriber? {
        remove(id, from: .all)
    }
}
