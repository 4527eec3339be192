import DeviceAgent
import WaypostSchema

/// A clock of an agent that a test moves.
///
/// A wait of any kind ends when the clock has moved past its end.
final class AgentClock: Sendable {
    private let clock = ManualClock(AgentSources.forTests.now())

    /// The agent's time sources, which use this clock.
    var sources: AgentSources {
        var sources = AgentSources(now: { self.clock.now }, random: { 0 }, sleep: { try await self.clock.sleep($0) })
        // A wait until a moment ends then. As a duration it would be too long if the clock moved while it is computed.
        sources.manualClock = clock
        return sources
    }

    var now: Timestamp {
        clock.now
    }

    /// Moves the clock forward.
    func move(to now: Timestamp) {
        clock.move(to: now)
    }
}
