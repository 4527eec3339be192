import DeviceAgent
import WaypostSchema

/// A clock of an agent that a test moves; waits of every kind are over when it has moved far enough.
final class AgentClock: Sendable {
    private let clock = ManualClock(AgentSources.forTests.now())

    /// What an agent takes time from.
    var sources: AgentSources {
        AgentSources(now: { self.clock.now }, random: { 0 }, sleep: { try await self.clock.sleep($0) })
    }

    var now: Timestamp {
        clock.now
    }

    /// Moves the clock forward.
    func move(to now: Timestamp) {
        clock.move(to: now)
    }
}
