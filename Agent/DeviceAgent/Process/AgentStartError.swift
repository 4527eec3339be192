internal import Foundation
package import LocalService
internal import NIOCore

/// The reason why an agent cannot start.
package enum AgentStartError: Error, Sendable, Equatable {
    /// Another process listens on the address of an API.
    case addressInUse([AgentAddress])

    /// The system does not let an API listen.
    case cannotListen(String)

    /// The folder in which the device is stored cannot be used.
    case cannotUseData(String)

    /// The agent is to follow the gateway's clock, but that is the system's.
    case gatewayClockIsSystem

    /// The ready file cannot be written.
    case cannotWriteReadyFile(ReadyFileError)

    init(_ error: IOError, listeningAt addresses: [AgentAddress]) {
        self = error.errnoCode == EADDRINUSE ? .addressInUse(addresses) : .cannotListen("\(error)")
    }
}

extension AgentStartError: CustomStringConvertible {
    /// A description of the error, with what would be accepted.
    package var description: String {
        switch self {
        case .addressInUse(let addresses):
            addresses.map(\.description).joined(separator: " or ")
                + " is in use by another process; choose another address, or port 0 for any free one"
        case .cannotUseData(let reason): reason
        case .cannotListen(let reason): "an API cannot listen: \(reason)"
        case .gatewayClockIsSystem:
            "the gateway's clock follows the system's time; start the gateway with --clock manual"
        case .cannotWriteReadyFile(let error): error.description
        }
    }
}
