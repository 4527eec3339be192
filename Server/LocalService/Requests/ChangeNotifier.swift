internal import Synchronization

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
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if startingNow { continuation.yield() }
        let id = waiters.add(continuation, to: key)
        continuation.onTermination = { [weak self] _ in self?.waiters.remove(id, from: key) }
        // Checked after adding: either this or `end` finishes the stream.
        if hasEnded.withLock(\.self) { continuation.finish() }
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

extension ChangeNotifier where Key == Unkeyed {
    /// Returns a stream with one element now and one after each change; unread changes are merged into one element.
    package func watch() -> AsyncStream<Void> {
        changes(of: .all, startingNow: true)
    }

    /// Notifies every waiter of a change.
    package func notify() {
        notify([.all])
    }
}
