internal import LocalService
internal import WaypostSchema

/// The subscribers to a device's effects.
///
/// A subscriber that is too slow is removed, and its stream ends.
final class EffectSubscribers: Sendable {
    private struct Subscriber {
        let continuation: AsyncStream<DeviceEffect>.Continuation
        let accepts: @Sendable (DeviceEffect) -> Bool
    }

    /// The maximum number of effects that wait for a subscriber.
    private static let capacity = 1_000

    private let subscribers = Subscribers<SingleKey, Subscriber>()

    /// Returns the device's effects from now on, and the number with which to unsubscribe.
    ///
    /// - Parameter accepts: returns whether the subscriber receives an effect.
    /// - Returns: the number and the effects.
    func subscribe(
        where accepts: @escaping @Sendable (DeviceEffect) -> Bool = { _ in true }
    ) -> (number: Int, effects: AsyncStream<DeviceEffect>) {
        let (effects, continuation) = AsyncStream.makeStream(
            of: DeviceEffect.self,
            bufferingPolicy: .bufferingOldest(Self.capacity)
        )
        let number = subscribers.add(Subscriber(continuation: continuation, accepts: accepts))
        continuation.onTermination = { [weak self] _ in self?.subscribers.remove(number) }
        return (number, effects)
    }

    /// Ends the stream of one subscriber.
    func unsubscribe(_ number: Int) {
        subscribers.remove(number)?.continuation.finish()
    }

    /// Sends effects to every subscriber.
    func send(_ effects: [DeviceEffect]) {
        for subscriber in subscribers.all {
            let isBehind = effects.lazy.filter(subscriber.accepts)
                .contains { if case .dropped = subscriber.continuation.yield($0) { true } else { false } }
            if isBehind { subscriber.continuation.finish() }
        }
    }

    /// Ends the streams of all subscribers.
    func end() {
        for subscriber in subscribers.all { subscriber.continuation.finish() }
    }
}
