internal import Synchronization

/// Subscribers by the key that they subscribed to.
package final class Subscribers<Key: Hashable & Sendable, Subscriber: Sendable>: Sendable {
    private struct State {
        var subscribers: [Key: [Int: Subscriber]] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Creates a registry without subscribers.
    package init() {}

    /// Adds a subscriber; returns the number by which it is removed.
    package func add(_ subscriber: Subscriber, to key: Key) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.subscribers[key, default: [:]][state.lastNumber] = subscriber
            return state.lastNumber
        }
    }

    /// Removes a subscriber; returns it, or `nil` if it was removed before.
    @discardableResult
    package func remove(_ number: Int, from key: Key) -> Subscriber? {
        state.withLock { state in
            let removed = state.subscribers[key]?.removeValue(forKey: number)
            if state.subscribers[key]?.isEmpty == true { state.subscribers[key] = nil }
            return removed
        }
    }

    /// The subscribers of some keys.
    package func subscribers(of keys: some Sequence<Key>) -> [Subscriber] {
        state.withLock { state in keys.flatMap { state.subscribers[$0].map { Array($0.values) } ?? [] } }
    }

    /// The subscribers of a key.
    package subscript(key: Key) -> [Subscriber] {
        subscribers(of: CollectionOfOne(key))
    }

    /// Every subscriber.
    package var all: [Subscriber] {
        state.withLock { $0.subscribers.values.flatMap(\.values) }
    }

    /// The number of subscribers.
    package var count: Int {
        state.withLock { $0.subscribers.values.reduce(0) { $0 + $1.count } }
    }
}

/// Tells waiters that something known by a key has changed; they look for themselves what.
package final class ChangeNotifier<Key: Hashable & Sendable>: Sendable {
    private let waiters = Subscribers<Key, AsyncStream<Void>.Continuation>()
    private let hasEnded = Mutex(false)

    /// Creates a notifier without waiters.
    package init() {}

    /// Returns an element for each change of `key` from now on; changes that come faster than they are read are one.
    ///
    /// After `end` the stream is over at once.
    ///
    /// - Parameters:
    ///   - key: what is waited for.
    ///   - startingNow: whether the first element comes at once.
    /// - Returns: the stream of changes.
    package func changes(of key: Key, startingNow: Bool = false) -> AsyncStream<Void> {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if startingNow { change.yield() }
        let number = waiters.add(change, to: key)
        change.onTermination = { [weak self] _ in self?.waiters.remove(number, from: key) }
        // Looked at after adding: either this or `end` finishes the stream.
        if hasEnded.withLock(\.self) { change.finish() }
        return changes
    }

    /// Tells the waiters of `keys` that they changed.
    package func notify(_ keys: Set<Key>) {
        guard !keys.isEmpty else { return }
        for waiter in waiters.subscribers(of: keys) { waiter.yield() }
    }

    /// Tells every waiter that nothing changes any more.
    package func end() {
        hasEnded.withLock { $0 = true }
        for waiter in waiters.all { waiter.finish() }
    }
}

/// The key of subscribers that there is but one kind of.
package enum SingleKey: Hashable, Sendable {
    /// The key.
    case all
}

extension Subscribers where Key == SingleKey {
    /// Adds a subscriber; returns the number by which it is removed.
    package func add(_ subscriber: Subscriber) -> Int {
        add(subscriber, to: .all)
    }

    /// Removes a subscriber; returns it, or `nil` if it was removed before.
    @discardableResult
    package func remove(_ number: Int) -> Subscriber? {
        remove(number, from: .all)
    }
}

extension ChangeNotifier where Key == SingleKey {
    /// Returns an element now, and one after each change; changes that come faster than they are read are one.
    package func watch() -> AsyncStream<Void> {
        changes(of: .all, startingNow: true)
    }

    /// Tells every waiter that something changed.
    package func notify() {
        notify([.all])
    }
}
