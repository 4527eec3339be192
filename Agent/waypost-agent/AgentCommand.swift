import ArgumentParser
import AssociationFetching
import DescriptionFiles
import DeviceAgent
import DeviceModel
import Foundation
import GatewayClient
import LocalService
import Logging
import WaypostSchema

@main
struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waypost-agent",
        abstract: "Be a device: receive notifications from a gateway, and open the right scene.",
        usage: "waypost-agent --device <file> [<option> ...]",
        discussion: """
            The device file describes the device in YAML or JSON: its name, its apps, their scenes and the activation \
            conditions of each. The agent registers the device, stays connected until SIGTERM or SIGINT, and is \
            driven through its control API. Where the gateway wants its administrative token, the agent shows the one \
            in the environment variable WAYPOST_ADMIN_TOKEN.
            """
    )

    @Option(help: ArgumentHelp("The device file.", valueName: "file"))
    var device: String

    @Option(help: ArgumentHelp("The base URL of the gateway's service listener.", valueName: "url"))
    var gateway = "http://127.0.0.1:7330"

    @Option(
        help: ArgumentHelp(
            "The base URL of the gateway's courier listener (default: where the gateway says it is).",
            valueName: "url"
        )
    )
    var courier: String?

    @Option(
        help: ArgumentHelp(
            "Where the control API listens: a loopback address, with port 0 for any free one, or a Unix domain socket.",
            valueName: "address:port|unix:path"
        )
    )
    var control = AgentAddress.standard

    @Option(
        help: ArgumentHelp("Where the API for apps listens, likewise.", valueName: "address:port|unix:path")
    )
    var apps = AgentAddress.standard

    @Option(help: "Where the time of devices comes from.")
    var clock = ClockSource.system

    @Option(
        help: ArgumentHelp(
            "Keep the device in this folder; without one nothing survives the process.",
            valueName: "folder"
        )
    )
    var data: String?

    @Option(help: ArgumentHelp("Write the control API's URL to this file once connected.", valueName: "file"))
    var readyFile: String?

    @Option(help: "How much to log on standard error.")
    var logLevel = LogLevel.notice

    enum ClockSource: String, ExpressibleByArgument, CaseIterable {
        case system
        case manual
    }

    func run() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var logger = Logger(label: "waypost-agent")
        logger.logLevel = logLevel.level
        do {
            for url in [gateway] + [courier].compactMap(\.self) {
                if let error = ListenerURL.error(in: url) { throw Self.unusable(error) }
            }
            let description = try DescriptionFile.read(DeviceDescription.self, from: device)
            let configuration = try configuration(of: description)
            let agent = AgentProcess(
                configuration: configuration,
                sources: clock == .manual ? .manual : .system,
                logger: logger
            )
            try await agent.run { ready in Self.announce(ready, name: description.name) }
        } catch let error as DescriptionFile.ReadError {
            throw Self.unusable("\(error)")
        } catch let error as DescriptionError {
            throw Self.unusable("\(device): \(error)")
        } catch let error as AgentStartError {
            throw Self.unusable("\(error)")
        }
    }

    private func configuration(of description: DeviceDescription) throws -> AgentConfiguration {
        var configuration = AgentConfiguration(device: description, service: gateway, courier: courier)
        configuration.adminToken = ProcessInfo.processInfo.environment["WAYPOST_ADMIN_TOKEN"]
        configuration.control = control
        configuration.apps = apps
        configuration.data = data
        configuration.readyFile = readyFile
        for (domain, place) in description.associatedDomainsDevelopment ?? [:] {
            do throws(DevelopmentServerError) {
                configuration.developmentAssociations[domain] = try AssociationLocation(
                    standIn: place,
                    besides: device
                )
            } catch {
                throw Self.unusable("\(device): associatedDomainsDevelopment.\(domain): \(error)")
            }
        }
        return configuration
    }

    private static func unusable(_ message: String) -> ExitCode {
        try? FileHandle.standardError.write(contentsOf: Data("waypost-agent: \(message)\n".utf8))
        return ExitCode(2)
    }

    private static func announce(_ ready: AgentReadyFile, name: String) {
        let lines = """
            waypost-agent is ready
              device   \(name)
              control  \(ready.control)
              apps     \(ready.apps ?? "")

            """
        try? FileHandle.standardOutput.write(contentsOf: Data(lines.utf8))
    }
}

extension LogLevel: ExpressibleByArgument {}

extension AgentAddress: ExpressibleByArgument {
    /// Reads an address of the command line.
    package init?(argument: String) {
        self.init(argument)
    }
}
