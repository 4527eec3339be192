internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import TextReports
internal import WaypostSchema

/// The `waypost doctor` command, which looks for whatever keeps Waypost from working here.
struct DoctorCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what keeps Waypost from working on this machine, and say what to do.",
        discussion: """
            Checks the programs, the settings, the gateway and the agent that commands would call, the clocks, the \
            ports of 'waypost up', and the limits of the machine. Exits with 1 if there is a problem.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(help: ArgumentHelp("The base URL of the agent's control API.", valueName: "url"))
    var agent: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        var checks = MachineChecks.all
        checks.append(settings)
        checks += await gatewayChecks()
        checks.append(await agentCheck())
        try output.write(checks, table: HealthCheck.table)
        if checks.contains(where: { $0.result == .problem }) { throw CommandFailure.no() }
    }

    private var settings: HealthCheck {
        let folder = SettingsFolder()
        do {
            let file = try folder.read()
            let name = gateway.call.context ?? ProcessInfo.processInfo.environment["WAYPOST_CONTEXT"] ?? file.context
            if let name { _ = try file.settings(of: name) }
            return .fine("settings", name.map { "context \($0), in \(folder.path)" } ?? "no context")
        } catch {
            return .problem("settings", error.message ?? "cannot be read", "correct \(folder.path)")
        }
    }

    private func gatewayChecks() async -> [HealthCheck] {
        do {
            let location = try gateway.location()
            return try await gateway.withClient { client in
                let health = try await client.readiness()
                let checks = (health.checks ?? [:]).filter { $0.value != "ok" }.sorted { $0.key < $1.key }
                let problems = checks.map {
                    HealthCheck.problem("gateway", "\($0.key): \($0.value)", "see docs/gateway.md, Health and metrics")
                }
                let summary = "\(location.service), store \(health.store ?? "unknown"), schema \(health.schema)"
                var found = problems.isEmpty ? [HealthCheck.fine("gateway", summary)] : problems
                if health.schema != SchemaVersion.current {
                    found.append(
                        .problem(
                            "version",
                            "schema \(health.schema), not \(SchemaVersion.current)",
                            "update one of the two"
                        )
                    )
                }
                found.append(try await clock(client))
                return found
            }
        } catch let error as CommandFailure {
            return [.problem("gateway", error.message ?? "", "start one with 'waypost up'")]
        } catch {
            return [.problem("gateway", "\(error)", "see 'waypost health'")]
        }
    }

    private func clock(_ client: GatewayClient) async throws -> HealthCheck {
        let before = Date.now.timeIntervalSince1970
        let reading = try await client.clock()
        let after = Date.now.timeIntervalSince1970
        guard reading.clock == .system else { return .fine("clock", "the gateway's clock moves only on request") }
        let time = Double(reading.now.rawValue) / 1_000
        let difference = max(before - time, time - after, 0)
        let words = String(format: "%.1f s", difference)
        return difference < 1
            ? .fine("clock", "that of the gateway differs by \(words)")
            : .problem(
                "clock",
                "that of the gateway differs by \(words)",
                "synchronize the clocks, for example with chrony"
            )
    }

    private func agentCheck() async -> HealthCheck {
        let arguments = (agent.map { ["--agent", $0] } ?? []) + (gateway.call.context.map { ["--context", $0] } ?? [])
        do {
            let options = try AgentOptions.parse(arguments)
            let devices = try await options.calling { client in try await client.devices() }
            let connected = devices.count(where: \.isConnected)
            return connected == devices.count
                ? .fine("agent", "\(devices.count) devices, all connected")
                : .problem("agent", "\(connected) of \(devices.count) devices are connected", "see the agent's log")
        } catch let error as CommandFailure where error.status == .no {
            return .skipped("agent", "none answers; 'waypost up' starts one")
        } catch {
            return .problem("agent", (error as? CommandFailure)?.message ?? "\(error)", "see 'waypost help device'")
        }
    }
}

/// The result of a check.
struct HealthCheck: Encodable, Equatable {
    /// The kinds of results.
    enum Result: String, Encodable {
        case ok
        case problem
        case skipped
    }

    /// The subject.
    let check: String

    /// The result.
    let result: Result

    /// The finding.
    let finding: String

    /// The remedy, if there is a problem.
    let remedy: String?

    /// Returns a check without a problem.
    static func fine(_ check: String, _ finding: String) -> Self {
        Self(check: check, result: .ok, finding: finding, remedy: nil)
    }

    /// Returns a check that found a problem.
    static func problem(_ check: String, _ finding: String, _ remedy: String) -> Self {
        Self(check: check, result: .problem, finding: finding, remedy: remedy)
    }

    /// Returns a check that could not be made, or that nothing depends on.
    static func skipped(_ check: String, _ finding: String) -> Self {
        Self(check: check, result: .skipped, finding: finding, remedy: nil)
    }

    /// Returns checks as a table, and the remedies below it.
    static func table(_ checks: [Self]) -> any TextPresentable {
        let marks: [Result: String] = [.ok: "✓", .problem: "✗", .skipped: "–"]
        let rows = checks.map { [marks[$0.result] ?? "", $0.check, $0.finding] }
        let remedies = checks.compactMap { check in check.remedy.map { "\(check.check): \($0)" } }
        let table = TextTable(header: ["", "Check", "Finding"], rows: rows) { column, text in
            column == 0 ? text == "✗" ? .red : .green : nil
        }
        return remedies.isEmpty ? table : TextParts([table, "", "What to do:"] + remedies.map { "  \($0)" })
    }
}

/// The checks of the machine.
private enum MachineChecks {
    /// The number of files that a process with many connections needs.
    private static let files: UInt = 4_096

    static var all: [HealthCheck] {
        [programs, openFiles, ports]
    }

    private static var programs: HealthCheck {
        let names = ["waypost-gateway", "waypost-agent"]
        let missing = names.filter { !SupervisedProcess.isInstalled($0) }
        return missing.isEmpty
            ? .fine("programs", names.joined(separator: ", "))
            : .problem(
                "programs",
                "\(missing.joined(separator: " and ")) not found",
                "put them beside waypost, or on the PATH"
            )
    }

    private static var openFiles: HealthCheck {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .skipped("open files", "the limit is unknown")
        }
        // The programs raise their own limit to the hard one.
        return limit.rlim_max >= files
            ? .fine("open files", "up to \(limit.rlim_max) in a process")
            : .problem("open files", "only \(limit.rlim_max) in a process", "raise the hard limit: ulimit -Hn \(files)")
    }

    private static var ports: HealthCheck {
        let taken = [7330, 7331, 7333, 7340].filter { !ReservedPort.isFree($0) }
        return taken.isEmpty
            ? .fine("ports", "those of 'waypost up' are free")
            : .skipped(
                "ports",
                "in use: \(taken.map(String.init).joined(separator: ", ")); 'waypost up --free-ports' uses others"
            )
    }
}
