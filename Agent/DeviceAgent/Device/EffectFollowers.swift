internal import LocalService
internal import WaypostSchema

/// The followers of a device's effects.
///
/// A follower that is too slow is removed, and its stream ends.
final class EffectFollowers: Sendable {
    private struct Follower {
        let effect: AsyncStream<DeviceEffect>.Continuation
        let isMeant: @Sendable (DeviceEffect) -> Bool
    }

    /// The maximum number of effects that wait for a follower.
    private static let capacity = 1_000

    private let followers = Subscribers<SingleKey, Follower>()

    /// Returns the device's effects from now on, and the number with which to end them.
    ///
    /// - Parameter isMeant: returns whether the follower receives an effect.
    /// - Returns: the number and the effects.
    func follow(
        where isMeant: @escaping @Sendable (DeviceEffect) -> Bool = { _ in true }
    ) -> (number: Int, effects: AsyncStream<DeviceEffect>) {
        let (effects, effect) = AsyncStream.makeStream(
            of: DeviceEffect.self,
            bufferingPolicy: .bufferingOldest(Self.capacity)
        )
        let number = followers.add(Follower(effect: effect, isMeant: isMeant))
        effect.onTermination = { [weak self] _ in self?.followers.remove(number) }
        return (number, effects)
    }

    /// Ends the stream of one follower.
    func end(_ number: Int) {
        followers.remove(number)?.effect.finish()
    }

    /// Sends effects to every follower.
    func tell(_ effects: [DeviceEffect]) {
        for follower in followers.all {
            let isBehind = effects.lazy.filter(follower.isMeant)
                .contains { if case .dropped = follower.effect.yield($0) { true } else { false } }
            if isBehind { follower.effect.finish() }
        }
    }

    /// Ends the streams of all followers.
    func end() {
        for follower in followers.all { follower.effect.finish() }
    }
}
