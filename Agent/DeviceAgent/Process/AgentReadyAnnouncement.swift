internal import Foundation
package import LocalService
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// A service that announces that the agent is ready, first in the ready file and then to the caller.
///
/// The agent is ready once the devices that it was started with are connected, the association files of their apps'
/// domains are fetched or failed, and both APIs listen.
struct AgentReadyAnnouncement: Service {
    /// A step before the agent is ready.
    enum Step: Sendable {
        case controlListens(String)
        case appsListen(String)
        case deviceConnected(_ name: String)
        case associationsChecked(_ name: String)
    }

    let readyFile: String?

    /// The token of the control API, if it requires one.
    let token: ControlToken?

    /// The names of the devices that the agent was started with.
    let devices: Set<String>

    let steps: AsyncStream<Step>

    /// Ends `steps` once the agent is ready.
    let stepsContinuation: AsyncStream<Step>.Continuation

    let onReady: @Sendable (AgentReadyFile) -> Void

    func run() async throws {
        ReadyFile.remove(readyFile)
        var control: String?
        var apps: String?
        var (unconnected, unchecked) = (devices, devices)
        for await step in steps.cancelOnGracefulShutdown() {
            switch step {
            case .controlListens(let url): control = url
            case .appsListen(let url): apps = url
            case .deviceConnected(let name): unconnected.remove(name)
            case .associationsChecked(let name): unchecked.remove(name)
            }
            guard let control, let apps, unconnected.isEmpty, unchecked.isEmpty else { continue }
            let ready = AgentReadyFile(control: control, apps: apps, controlToken: token?.string)
            do throws(ReadyFileError) {
                try ReadyFile.write(ready, to: readyFile)
            } catch {
                throw AgentStartError.cannotWriteReadyFile(error)
            }
            onReady(ready)
            stepsContinuation.finish()
        }
        try await gracefulShutdown()
    }
}

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
