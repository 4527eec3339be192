internal import LocalService
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
        var controlURL: String?
        var appsURL: String?
        var (unconnectedDevices, uncheckedDevices) = (devices, devices)
        for await step in steps.cancelOnGracefulShutdown() {
            switch step {
            case .controlListens(let url): controlURL = url
            case .appsListen(let url): appsURL = url
            case .deviceConnected(let name): unconnectedDevices.remove(name)
            case .associationsChecked(let name): uncheckedDevices.remove(name)
            }
            guard let controlURL, let appsURL, unconnectedDevices.isEmpty, uncheckedDevices.isEmpty else { continue }
            let agentReadyFile = AgentReadyFile(control: controlURL, apps: appsURL, controlToken: token?.string)
            do throws(ReadyFileError) {
                try ReadyFile.write(agentReadyFile, to: readyFile)
            } catch {
                throw AgentStartError.cannotWriteReadyFile(error)
            }
            onReady(agentReadyFile)
            stepsContinuation.finish()
        }
        try await gracefulShutdown()
    }
}
