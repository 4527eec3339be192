import AsyncHTTPClient
import Foundation
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// The user of the agent's device, who looks at the notifications and opens some of them.
struct CrashUser: Sendable {
    /// The name of the device in its file.
    private static let device = "iPad"

    private let readyFile: String
    private let world: CrashWorld
    private let http: HTTPClient

    /// Creates the user of an agent that will write a ready file.
    init(of readyFile: String, in world: CrashWorld, _ http: HTTPClient) {
        (self.readyFile, self.world, self.http) = (readyFile, world, http)
    }

    /// Opens notifications until the agent is killed, perhaps during a request.
    func use(_ process: ChildProcess, seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        do {
            while !process.hasEnded {
                for _ in 0..<Int.random(in: 1...8, using: &generator) { try await pause() }
                guard let client else { continue }
                let list = try await look(with: client)
                let ids = world.update { $0.unopenedIDs(in: list) }
                guard let id = ids.randomElement(using: &generator) else { continue }
                try await open(id, with: client)
            }
        } catch {
            if let error = error as? CallError, case .refused = error {
                return world.report("the agent's control API refused a request: \(error)")
            }
            // A killed agent answers nothing.
            try? await waitUntil("the agent has ended", within: .seconds(5)) { process.hasEnded }
            if !process.hasEnded { world.report("the agent was not killed, and its control API failed: \(error)") }
        }
    }

    /// Checks the list of notifications.
    func look() async throws {
        guard let client else { return world.report("the last agent wrote no ready file") }
        _ = try await look(with: client)
    }

    private func look(with client: AgentClient) async throws -> [DeviceNotification] {
        let list = try await client.notifications(of: Self.device)
        world.update { $0.observeNotifications(list) }
        return list
    }

    private func open(_ id: NotificationID, with client: AgentClient) async throws {
        world.note("user", "opens \(id)")
        world.update { $0.beginOpening(id) }
        let scene = try await client.open(id, on: Self.device)
        world.note("user", "opened \(id)")
        world.update { $0.confirmOpening(id, at: scene.notification?.openedAt) }
    }

    /// The client of the control API, once the agent has written its ready file.
    private var client: AgentClient? {
        guard let data = FileManager.default.contents(atPath: readyFile),
            let ready = try? JSONDecoder().decode(AgentReadyFile.self, from: data)
        else { return nil }
        return AgentClient(http, control: ready.control, token: ready.controlToken)
    }
}
