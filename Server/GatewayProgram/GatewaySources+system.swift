internal import Foundation
internal import Gateway
internal import LocalService
internal import WaypostSchema

extension GatewaySources {
    /// The system's clock and its secure random number generator.
    static let system = GatewaySources(
        now: { Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000)) },
        randomBytes: { [source = SecureRandomBytes()] in source.take($0) }
    )
}
