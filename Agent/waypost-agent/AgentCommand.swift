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
        abstract: "Run a device: receive notifications from a gateway, and open the right scenes.",
        usage: "waypost-agent --device <file> [<option> ...]",
        discussion: """
            The device file describes the device in YAML or JSON: its name, its apps, their scenes and the activation \
            conditions of each scene. The agent registers the device and stays connected until SIGTERM or SIGINT. \
            Scripts and users control the device through the control API. If the gateway requires its administrative \
            token, set it in the environment variable WAYPOST_ADMIN_TOKEN.
            """
    )

    @Option(help: ArgumentHelp("The device file.", valueName: "file"))
    var device: String

    @Option(help: ArgumentHelp("The base URL of the gateway's service listener.", valueName: "url"))
    var gateway = "http://127.0.0.1:7330"

    @Option(
        help: ArgumentHelp(
            "The base URL of the gateway's courier listener (default: the one that the gateway reports).",
            valueName: "url"
        )
    )
    var courier: String?

    @Option(
        help: ArgumentHelp(
            "The address of the control API: a loopback address (port 0 for any free one) or a Unix domain socket.",
            valueName: "address:port|unix:path"
        )
    )
    var control = AgentAddress.standard

    @Option(
        help: ArgumentHelp("The address of the API for apps, in the same form.", valueName: "address:port|unix:path")
    )
    var apps = AgentAddress.standard

    @Option(help: "The source of the devices' time.")
    var clock = ClockSource.system

    @Option(
        help: ArgumentHelp(
            "Store the device in this folder (default: store nothing after the process ends).",
            valueName: "folder"
        )
    )
    var data: String?

    @Option(help: ArgumentHelp("Write the URLs of the APIs to this file once connected.", valueName: "file"))
    var readyFile: String?

    @Option(help: "The level of the log on standard error.")
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
    /// Parses an address of the command line.
    package init?(argument: String) {
        self.init(argument)
    }
}
