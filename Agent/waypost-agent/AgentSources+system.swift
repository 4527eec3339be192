import DeviceAgent
import Foundation
import WaypostSchema

extension AgentSources {
    /// The system's clock and its random numbers.
    static let system = AgentSources(
        now: { Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000)) },
        random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(for: $0) }
    )
}
