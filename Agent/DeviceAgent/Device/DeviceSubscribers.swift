internal import LocalService
internal import WaypostSchema

/// An update of a device.
enum DeviceUpdate: Sendable {
    /// An effect of an event.
    case effect(DeviceEffect)

    /// A change without an effect, for example a message without a link.
    ///
    /// With its event, the journal has `journalLength` entries.
    case changed(journalLength: Int)

    /// The effect, if it is one.
    var effect: DeviceEffect? {
        if case .effect(let effect) = self { effect } else { nil }
    }
}

/// The subscribers to what happens on a device.
///
/// A subscriber that is too slow is removed, and its stream ends.
final class DeviceSubscribers: Sendable {
    private struct Subscriber {
        let continuation: AsyncStream<DeviceUpdate>.Continuation
        let accepts: @Sendable (DeviceUpdate) -> Bool
    }

    /// The maximum number of updates that wait for a subscriber.
    private static let capacity = 1_000

    private let subscribers = Subscribers<Unkeyed, Subscriber>()

    /// Returns what happens on the device from now on, and the number with which to unsubscribe.
    ///
    /// - Parameter accepts: returns whether the subscriber receives an update.
    /// - Returns: the number and the updates.
    func subscribe(
        where accepts: @escaping @Sendable (DeviceUpdate) -> Bool = { _ in true }
    ) -> (number: Int, updates: AsyncStream<DeviceUpdate>) {
        let (updates, continuation) = AsyncStream.makeStream(
            of: DeviceUpdate.self,
            bufferingPolicy: .bufferingOldest(Self.capacity)
        )
        let number = subscribers.add(Subscriber(continuation: continuation, accepts: accepts))
        continuation.onTermination = { [weak self] _ in self?.subscribers.remove(number) }
        return (number, updates)
    }

    /// Ends the stream of one subscriber.
    func unsubscribe(_ number: Int) {
        subscribers.remove(number)?.continuation.finish()
    }

    /// Sends updates to every subscriber.
    func send(_ updates: [DeviceUpdate]) {
        for subscriber in subscribers.all {
            let isBehind = updates.lazy.filter(subscriber.accepts)
                .contains { if case .dropped = subscriber.continuation.yield($0) { true } else { false } }
            if isBehind { subscriber.continuation.finish() }
        }
    }

    /// Ends the streams of all subscribers.
    func end() {
        for subscriber in subscribers.all { subscriber.continuation.finish() }
    }
}
