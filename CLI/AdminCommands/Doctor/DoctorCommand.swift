internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import WaypostSchema

/// The `waypost doctor` command, which looks for problems that keep Waypost from working on this machine.
struct DoctorCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what keeps Waypost from working on this machine, and say what to do.",
        discussion: """
            Checks the toolchain, the programs and their libraries, the settings, the gateway and the agent that commands \
            would call with their versions, clocks and journals, the certificates, the data folder, the ports of \
            'waypost up', and the limits of the machine. Exits with 1 if there is a problem.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(help: ArgumentHelp("The base URL of the agent's control API.", valueName: "url"))
    var agent: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        var checks = await MachineChecks.all()
        checks.append(settingsCheck)
        checks += await gatewayChecks()
        checks += await agentChecks()
        checks += FolderChecks.all(of: try? gateway.location())
        try output.write(checks, table: HealthCheck.table)
        if checks.contains(where: { $0.result == .problem }) { throw CommandFailure.failed() }
    }

    private var settingsCheck: HealthCheck {
        let location = ContextsStorage()
        do {
            let file = try location.read()
            let name = gateway.call.context ?? ProcessInfo.processInfo.environment["WAYPOST_CONTEXT"] ?? file.context
            if let name { _ = try file.settings(of: name) }
            return .ok("settings", name.map { "context \($0), in \(location.path)" } ?? "no context")
        } catch {
            return .problem("settings", error.message ?? "cannot be read", remedy: "correct \(location.path)")
        }
    }
}

/// The checks of running processes.
extension DoctorCommand {
    private func gatewayChecks() async -> [HealthCheck] {
        do {
            let location = try gateway.location()
            return try await gateway.withClientRethrowingRefusals { client in
                let health = try await client.readiness()
                let problems = Self.problems(in: health).map {
                    HealthCheck.problem("gateway", $0, remedy: "see docs/gateway.md, Health and metrics")
                }
                let summary = "\(location.service), store \(health.store ?? "unknown")"
                let checks = problems.isEmpty ? [HealthCheck.ok("gateway", summary)] : problems
                return checks + [Self.versionCheck(of: "gateway", health), try await clockCheck(client)]
            }
        } catch let error as CommandFailure {
            return [.problem("gateway", error.message ?? "", remedy: "start one with 'waypost up'")]
        } catch {
            return [.problem("gateway", "\(error)", remedy: "see 'waypost health'")]
        }
    }

    private static func problems(in health: Health) -> [String] {
        (health.checks ?? [:]).filter { $0.value != "ok" }.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
    }

    private static func versionCheck(of program: String, _ health: Health) -> HealthCheck {
        let name = "\(program) version"
        let version = "\(health.version ?? "before 0.1.0"), schema \(health.schema)"
        let isSame = health.version == ProgramVersion.current && health.schema == SchemaVersion.current
        return isSame
            ? .ok(name, version)
            : .problem(
                name,
                "\(version); waypost is \(ProgramVersion.current), schema \(SchemaVersion.current)",
                remedy: "install the same version of all programs, and restart the \(program)"
            )
    }

    private func clockCheck(_ client: GatewayClient) async throws -> HealthCheck {
        let timeBefore = Date.now.timeIntervalSince1970
        let reading = try await client.clock()
        let timeAfter = Date.now.timeIntervalSince1970
        guard reading.clock == .system else { return .ok("clock", "the gateway's clock moves only on request") }
        let time = Double(reading.now.rawValue) / 1_000
        let difference = max(timeBefore - time, time - timeAfter, 0)
        let differenceText = String(format: "%.1f s", difference)
        return difference < 1
            ? .ok("clock", "that of the gateway differs by \(differenceText)")
            : .problem(
                "clock",
                "that of the gateway differs by \(differenceText)",
                remedy: "synchronize the clocks, for example with chrony"
            )
    }

    private func agentChecks() async -> [HealthCheck] {
        do {
            let options = try AgentOptions.forAgent(at: agent, orInStackOf: gateway)
            let (health, devices) = try await options.withClient { client in
                (try await client.health(), try await client.devices())
            }
            let connectedCount = devices.count(where: \.isConnected)
            let problems = Self.problems(in: health).map {
                HealthCheck.problem("journals", $0, remedy: "see docs/journal.md, and restart the agent")
            }
            let agentCheck =
                connectedCount == devices.count
                ? HealthCheck.ok("agent", "\(devices.count) of \(devices.count) devices are connected")
                : .problem(
                    "agent",
                    "\(connectedCount) of \(devices.count) devices are connected",
                    remedy: "see the agent's log"
                )
            let journalChecks = problems.isEmpty ? [HealthCheck.ok("journals", "of all devices are whole")] : problems
            return [agentCheck, Self.versionCheck(of: "agent", health)] + journalChecks
        } catch let error as CommandFailure where error.hasNoAnswer {
            return [.skipped("agent", "none answers; 'waypost up' starts one")]
        } catch {
            return [
                .problem(
                    "agent",
                    (error as? CommandFailure)?.message ?? "\(error)",
                    remedy: "see 'waypost help device'"
                )
            ]
        }
    }
}
