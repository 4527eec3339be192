import Foundation
import Gateway
import WaypostSchema

extension GatewaySources {
    /// The system's clock and its secure random number generator.
    static let system = GatewaySources(
        now: { Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000)) },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in generator.next() }
        }
    )
}
