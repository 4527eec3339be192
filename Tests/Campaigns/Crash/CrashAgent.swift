import Foundation
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// A process of `waypost-agent` with one device, which is killed and started again while its user opens notifications.
struct CrashAgent: CrashParticipant {
    /// The device in the model.
    static let device = CrashDevice(name: "agent", namespace: .standard)

    let name = "agent"

    private let trial: CampaignTrial
    private let world: CrashWorld
    private var generator: SeededGenerator
    private var starts = 0

    /// The number of times that the process was killed.
    private(set) var kills = 0

    /// The process that runs at the end, and its user.
    private var process: ChildProcess?
    private var user: CrashUser?

    /// Writes the device file of the agent.
    init(_ trial: CampaignTrial, in world: CrashWorld, seed: UInt64) throws {
        (self.trial, self.world) = (trial, world)
        generator = SeededGenerator(seed: seed)
        let file = #"{"name":"iPad","apps":[{"bundleIdentifier":"\#(CrashWorld.topic)","scenes":[]}]}"#
        try Data(file.utf8).write(to: URL(filePath: trial.path(of: "agent.json")))
    }

    private var folder: String {
        trial.path(of: "agent")
    }

    /// Starts the agent once, until its device has a token, which the world gets.
    mutating func register(with gateway: GatewayCalls) async throws {
        let (process, readyFile) = try start(with: gateway.ready)
        var token: DeviceToken?
        try await waitUntil("the agent has registered its device", within: .seconds(30)) {
            guard let data = FileManager.default.contents(atPath: readyFile),
                let ready = try? JSONDecoder().decode(AgentReadyFile.self, from: data)
            else { return false }
            token = try? await AgentClient(gateway.http, control: ready.control).devices().first?.token
            return token != nil
        }
        if let token { world.set(token, of: Self.device.name) }
        process.send(SIGTERM)
        trial.keepLog(of: await process.ended(), "agent.log")
    }

    mutating func use(_ life: GatewayLife) async throws {
        while !life.killSwitch.isOver {
            let (process, readyFile) = try start(with: life.gateway.ready)
            let user = CrashUser(of: readyFile, in: world, life.gateway.http)
            let (count, seed) = (Int.random(in: 10...150, using: &generator), generator.next())
            async let opening: Void = user.use(process, seed: seed)
            try await life.pause(count)
            process.send(SIGKILL)
            trial.keepLog(of: await process.ended(), "agent.log")
            await opening
            kills += 1
        }
    }

    /// Starts the agent, which receives until `finish()`.
    mutating func settle(_ life: GatewayLife) async throws {
        let (process, readyFile) = try start(with: life.gateway.ready)
        self.process = process
        user = CrashUser(of: readyFile, in: world, life.gateway.http)
    }

    /// Ends the agent, and records the notifications in its list and in its journal.
    mutating func finish() async throws {
        guard let process else { return }
        try await user?.look()
        process.send(SIGTERM)
        let ended = await process.ended()
        trial.keepLog(of: ended, "agent.log")
        if ended.status != 0 { world.report("the agent ended with \(ended.status)") }
        let journaled = try AgentChild.journaled(in: folder)
        world.update { model in
            for id in journaled { model.journal(id) }
        }
        self.process = nil
    }

    private mutating func start(
        with gateway: GatewayReadyFile
    ) throws -> (process: ChildProcess, readyFile: String) {
        starts += 1
        let readyFile = trial.path(of: "agent-ready-\(starts).json")
        let command = AgentChild.command(
            trial.path(of: "agent.json"),
            program: "\(trial.programs)/waypost-agent",
            data: folder,
            gateway: gateway,
            readyFile: readyFile
        )
        return (try ChildProcess(command), readyFile)
    }
}
