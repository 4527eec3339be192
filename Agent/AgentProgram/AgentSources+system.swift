internal import DeviceAgent
internal import Foundation
internal import WaypostSchema

extension AgentSources {
    /// The system's clock and its random numbers.
    static let system = AgentSources(
        now: { Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000)) },
        random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(for: $0) }
    )

    /// A clock that starts at a time and moves only on request; everything else is the system's.
    static func manual(from start: Timestamp) -> AgentSources {
        let clock = ManualClock(start)
        var sources = system
        sources.now = { clock.now }
        sources.manualClock = clock
        return sources
    }
}
