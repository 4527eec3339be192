internal import GatewayClient
internal import WaypostSchema

extension CommandFailure {
    /// The end of a message about a missing notification of a device that is in Airplane Mode.
    static let airplaneModeHint =
        "; the device is in Airplane Mode, so nothing arrives; 'waypost device airplane off' ends that"

    /// Returns the failure of a command about the last notification of a device that has none.
    static func noNotifications(isInAirplaneMode: Bool) -> Self {
        .failed("there are no notifications on the device" + (isInAirplaneMode ? airplaneModeHint : ""))
    }
}

extension AgentClient {
    /// Returns whether a device, or the first one if it is `-`, is in Airplane Mode; `false` if the agent is silent.
    func isInAirplaneMode(_ device: String) async -> Bool {
        let devices = (try? await self.devices()) ?? []
        let status = device == "-" ? devices.first : devices.first { $0.name == device }
        return status?.isInAirplaneMode == true
    }

    /// Calls `body`; if the device does not have its notification, the error says that Airplane Mode is on.
    func findingNotification<Value>(on device: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as CallError {
            guard case .refused(404, let answer) = error, answer.code == "unknownNotification",
                await isInAirplaneMode(device)
            else {
                throw error
            }
            throw CommandFailure.failed("\(error)\(CommandFailure.airplaneModeHint)")
        }
    }
}
