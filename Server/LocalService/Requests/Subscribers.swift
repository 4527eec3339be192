internal import Synchronization

/// Subscribers, grouped by the key that they subscribed to.
package final class Subscribers<Key: Hashable & Sendable, Subscriber: Sendable>: Sendable {
    private struct State {
        var subscribers: [Key: [Int: Subscriber]] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Creates a registry without subscribers.
    package init() {}

    /// Adds a subscriber and returns the number that identifies it for removal.
    package func add(_ subscriber: Subscriber, to key: Key) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.subscribers[key, default: [:]][state.lastNumber] = subscriber
            return state.lastNumber
        }
    }

    /// Removes a subscriber and returns it, or `nil` if it was already removed.
    @discardableResult
    package func remove(_ number: Int, from key: Key) -> Subscriber? {
        state.withLock { state in
            let removed = state.subscribers[key]?.removeValue(forKey: number)
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

/// Notifies waiters that the state of a key has changed.
///
/// A notification carries no data; waiters read the new state themselves.
package final class ChangeNotifier<Key: Hashable & Sendable>: Sendable {
    private let waiters = Subscribers<Key, AsyncStream<Void>.Continuation>()
    private let hasEnded = Mutex(false)

    /// Creates a notifier without waiters.
    package init() {}

    /// Returns a stream with an element for each change of `key` from now on; unread changes are merged into one
    /// element.
    ///
    /// After `end`, the stream finishes immediately.
    ///
    /// - Parameters:
    ///   - key: the key to wait for.
    ///   - startingNow: whether the first element comes immediately.
    /// - Returns: the stream of changes.
    package func changes(of key: Key, startingNow: Bool = false) -> AsyncStream<Void> {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if startingNow { change.yield() }
        let number = waiters.add(change, to: key)
        change.onTermination = { [weak self] _ in self?.waiters.remove(number, from: key) }
        // Checked after adding: either this or `end` finishes the stream.
        if hasEnded.withLock(\.self) { change.finish() }
        return changes
    }

    /// Notifies the waiters of `keys` of a change.
    package func notify(_ keys: Set<Key>) {
        guard !keys.isEmpty else { return }
        for waiter in waiters.subscribers(of: keys) { waiter.yield() }
    }

    /// Notifies all waiters that anything may have changed.
    package func notifyAll() {
        for waiter in waiters.all { waiter.yield() }
    }

    /// Finishes the streams of all waiters: there will be no more changes.
    package func end() {
        hasEnded.withLock { $0 = true }
        for waiter in waiters.all { waiter.finish() }
    }
}

/// The key for subscribers that are all of one kind.
package enum SingleKey: Hashable, Sendable {
    /// The only key.
    case all
}

extension Subscribers where Key == SingleKey {
    /// Adds a subscriber and returns the number that identifies it for removal.
    package func add(_ subscriber: Subscriber) -> Int {
        add(subscriber, to: .all)
    }

    /// Removes a subscriber and returns it, or `nil` if it was already removed.
    @discardableResult
    package func remove(_ number: Int) -> Subscriber? {
        remove(number, from: .all)
    }
}

extension ChangeNotifier where Key == SingleKey {
    /// Returns a stream with one element now and one after each change; unread changes are merged into one element.
    package func watch() -> AsyncStream<Void> {
        changes(of: .all, startingNow: true)
    }

    /// Notifies every waiter of a change.
    package func notify() {
        notify([.all])
    }
}
