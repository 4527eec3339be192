internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalFiles
internal import Scenarios
internal import UnixSignals
internal import WaypostSchema

/// The `waypost scenario record` command.
struct ScenarioRecordCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Write what a person does with an agent's devices as a scenario.",
        discussion: """
            Records until Ctrl-C, and then writes the scenario. It also has what happened to the devices before, so \
            that they are in the same state; a comment marks the start of the recording. What the devices decided \
            becomes the expectations.
            """
    )

    @OptionGroup(title: "Agent") var agent: AgentOptions

    @Option(
        name: .customLong("device"),
        help: ArgumentHelp("Record this device; may be given several times (default: all).", valueName: "name")
    )
    var devices: [String] = []

    @Option(help: ArgumentHelp("Write the scenario to this file (default: standard output).", valueName: "file"))
    var output: String?

    @Option(help: "The name of the scenario.")
    var name = "A recording"

    @Flag(help: "Write what has happened up to now, and do not wait.")
    var now = false

    func perform() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let location = try agent.location()
        let text = try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            let client = AgentClient(http, control: location.control, token: location.token)
            let names = try await deviceNames(client)
            var startLengths: [String: Int] = [:]
            if !now {
                for name in names { startLengths[name] = try await client.journalLength(of: name) }
                StandardError.write("recording \(names.joined(separator: ", ")); Ctrl-C ends and writes the scenario")
                for await _ in signals { break }
            }
            var journals: [Recording.Journal] = []
            for name in names {
                let entries = try await client.wholeJournal(of: name)
                journals.append(
                    Recording.Journal(device: name, entries: entries, earlierEntryCount: startLengths[name] ?? 0)
                )
            }
            return Recording(journals).scenario(named: name)
        }
        try write(text)
    }

    /// Returns the names of the devices to record.
    private func deviceNames(_ client: AgentClient) async throws -> [String] {
        let names = try await client.devices().map(\.name)
        for name in devices where !names.contains(name) {
            throw CommandFailure.unusable("the agent has no device '\(name)'; it has: \(names.joined(separator: ", "))")
        }
        return devices.isEmpty ? names : devices
    }

    private func write(_ text: String) throws {
        guard let output else { return try StandardOutput.write(text) }
        do {
            try Data(text.utf8).write(to: URL(filePath: output))
        } catch {
            throw CommandFailure.unusable("\(output): cannot be written: \(SystemError.reason(of: error))")
        }
        StandardError.write("wrote \(output)")
    }
}
