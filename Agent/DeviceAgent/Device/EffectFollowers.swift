internal import Synchronization
internal import WaypostSchema

/// Those who follow what a device does.
///
/// Who does not keep up is let go, and sees that in the end of what it reads.
final class EffectFollowers: Sendable {
    private struct State {
        var followers: [Int: Follower] = [:]
        var last = 0
    }

    private struct Follower {
        let effect: AsyncStream<DeviceEffect>.Continuation
        let isMeant: @Sendable (DeviceEffect) -> Bool
    }

    /// How many effects wait for a follower at most.
    private static let capacity = 1_000

    private let state = Mutex(State())

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
        let number = state.withLock { state in
            state.last += 1
            state.followers[state.last] = Follower(effect: effect, isMeant: isMeant)
            return state.last
        }
        effect.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
        }
        return (number, effects)
    }

    /// Tells one that nothing more comes.
    func end(_ number: Int) {
        state.withLock { $0.followers[number] }?.effect.finish()
    }

    /// Tells everybody what the device did.
    func tell(_ effects: [DeviceEffect]) {
        let followers = state.withLock { Array($0.followers.values) }
        for follower in followers {
            let isBehind = effects.lazy.filter(follower.isMeant)
                .contains { if case .dropped = follower.effect.yield($0) { true } else { false } }
            if isBehind { follower.effect.finish() }
        }
    }

    /// Tells everybody that nothing more comes.
    func end() {
        for follower in state.withLock({ Array($0.followers.values) }) { follower.effect.finish() }
    }
}
