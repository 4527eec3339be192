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

    /// No gateway answered at a URL in time.
    case noGateway(String, within: Duration)

    /// The gateway did not accept the agent's administrative token, or the agent has none.
    case gatewayRefusesToken(isMissing: Bool)

    /// Another listener of a gateway, or another program, answers at the URL.
    case notTheServiceListener(String)

    /// The ready file cannot be written.
    case cannotWriteReadyFile(ReadyFileError)

    init(_ error: IOError, listeningAt addresses: [AgentAddress]) {
        self = error.errnoCode == EADDRINUSE ? .addressInUse(addresses) : .cannotListen("\(error)")
    }
}

extension AgentStartError {
    /// Whether no gateway answers at the URL, so that nothing is wrong with the agent itself.
    package var isUnreachable: Bool {
        switch self {
        case .noGateway, .notTheServiceListener: true
        default: false
        }
    }
}

extension AgentStartError: CustomStringConvertible {
    /// A description of the error, with what would be accepted.
    package var description: String {
        switch self {
        case .addressInUse(let addresses):
            addresses.map(\.description).joined(separator: " or ")
                + " is in use by another process; choose another address with --control or --apps, or port 0 for any "
                + "free one"
        case .cannotUseData(let reason): reason
        case .cannotListen(let reason): "an API cannot listen: \(reason)"
        case .gatewayClockIsSystem:
            "the gateway's clock follows the system's time; start the gateway with --clock manual"
        case .noGateway(let url, let timeout):
            """
            no gateway answered at \(url) within \(timeout.shortText); start one with 'waypost-gateway', name \
            another one with --gateway, or wait longer with --connect-timeout
            """
        case .gatewayRefusesToken(isMissing: true):
            """
            the gateway needs its administrative token, which is in the file admin-token of its data folder; set \
            WAYPOST_ADMIN_TOKEN to it, or give the agent --gateway-ready-file and access to that folder
            """
        case .gatewayRefusesToken(isMissing: false):
            """
            the gateway has another administrative token than the one in WAYPOST_ADMIN_TOKEN or, without it, in the data \
            folder that its ready file names
            """
        case .notTheServiceListener(let url):
            """
            \(url) is not the service listener of a gateway, whose address is in its ready file and in its output; a \
            device finds the courier by itself
            """
        case .cannotWriteReadyFile(let error): error.description
        }
    }
}

extension Duration {
    /// The duration in whole seconds, or else in milliseconds.
    var shortText: String {
        let milliseconds = Int(self / .milliseconds(1))
        guard milliseconds.isMultiple(of: 1_000) else { return "\(milliseconds) ms" }
        return milliseconds == 1_000 ? "1 second" : "\(milliseconds / 1_000) seconds"
    }
}
