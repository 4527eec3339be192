internal import Foundation
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// Says that the agent is ready once its device is connected, the domains of its apps were asked for their association
/// files and its control API listens: in the ready file, then to the caller.
struct AgentReadyAnnouncement: Service {
    /// A step towards being ready.
    enum Step: Sendable {
        case controlListens(String)
        case appsListen(String)
        case deviceConnected
        case associationsChecked
    }

    let readyFile: String?
    let steps: AsyncStream<Step>
    let onReady: @Sendable (AgentReadyFile) -> Void

    func run() async throws {
        // One that an earlier process left would be believed.
        if let readyFile { try? FileManager.default.removeItem(atPath: readyFile) }
        var control: String?
        var apps: String?
        var isConnected = false
        var areAssociationsChecked = false
        for await step in steps.cancelOnGracefulShutdown() {
            switch step {
            case .controlListens(let url): control = url
            case .appsListen(let url): apps = url
            case .deviceConnected: isConnected = true
            case .associationsChecked: areAssociationsChecked = true
            }
            guard let control, let apps, isConnected, areAssociationsChecked else { continue }
            let ready = AgentReadyFile(control: control, apps: apps)
            if let readyFile { try write(ready, to: readyFile) }
            onReady(ready)
            break
        }
        try await gracefulShutdown()
    }

    /// Writes the ready file whole or not at all, so that who waits for it never reads half of it.
    private func write(_ ready: AgentReadyFile, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(ready).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw AgentStartFault.cannotWriteReadyFile(path, reason: error.localizedDescription)
        }
    }
}

/// Why an agent cannot start.
package enum AgentStartFault: Error, Sendable, Equatable {
    /// Something else listens where one of the APIs is to listen.
    case addressInUse([ListenAddress])

    /// The system does not let an API listen.
    case cannotListen(String)

    /// The folder that the device is kept in cannot be used.
    case cannotUseData(String)

    /// The ready file cannot be written.
    case cannotWriteReadyFile(String, reason: String)

    init(_ error: IOError, listeningAt addresses: [ListenAddress]) {
        self = error.errnoCode == EADDRINUSE ? .addressInUse(addresses) : .cannotListen("\(error)")
    }
}

extension AgentStartFault: CustomStringConvertible {
    /// A sentence for a person, with what would be accepted.
    package var description: String {
        switch self {
        case .addressInUse(let addresses):
            addresses.map(\.description).joined(separator: " or ")
                + " is in use by another process; choose another address, or port 0 for any free one"
        case .cannotUseData(let reason): reason
        case .cannotListen(let reason): "an API cannot listen: \(reason)"
        case .cannotWriteReadyFile(let path, let reason): "cannot write the ready file \(path): \(reason)"
        }
    }
}
