internal import LocalService
internal import WaypostSchema

/// Followers of what a device does.
///
/// A follower that does not keep up is let go, and sees that in the end of what it reads.
final class EffectFollowers: Sendable {
    private struct Follower {
        let effect: AsyncStream<DeviceEffect>.Continuation
        let isMeant: @Sendable (DeviceEffect) -> Bool
    }

    /// How many effects wait for a follower at most.
    private static let capacity = 1_000

    private let followers = Subscribers<SingleKey, Follower>()

    init() {}

    /// Returns what the device does from now on, and the number by which that can be ended.
    ///
    /// - Parameter isMeant: whether the follower is told of an effect.
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

    /// Tells one follower that nothing more comes.
    func end(_ number: Int) {
        followers.remove(number)?.effect.finish()
    }

    /// Tells every follower what the device did.
    func tell(_ effects: [DeviceEffect]) {
        for follower in followers.all {
            let isBehind = effects.lazy.filter(follower.isMeant)
                .contains { if case .dropped = follower.effect.yield($0) { true } else { false } }
            if isBehind { follower.effect.finish() }
        }
    }

    /// Tells every follower that nothing more comes.
    func end() {
        for follower in followers.all { follower.effect.finish() }
    }
}
