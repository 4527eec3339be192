import ArgumentParser
import Foundation
import Gateway
import Logging
import WaypostSchema

@main
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waypost-gateway",
        abstract: "Take batches of notifications in and deliver them to connected devices.",
        usage: "waypost-gateway [<option> ...]",
        discussion: """
            The gateway listens on loopback only. It runs until SIGTERM or SIGINT, and then ends streams and answers \
            what was asked.
            """
    )

    @Option(help: ArgumentHelp("The loopback address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The service listener's port (batches, devices); 0: any free one.", valueName: "port"))
    var servicePort: UInt16 = 7330

    @Option(help: ArgumentHelp("The courier listener's port (events, acks); 0: any free one.", valueName: "port"))
    var courierPort: UInt16 = 7331

    @Option(help: ArgumentHelp("Write the listeners' URLs to this file once all accept.", valueName: "file"))
    var readyFile: String?

    @Option(help: "Where to keep notifications: sqlite, or memory (nothing survives a restart).")
    var store = Store.sqlite

    @Option(
        help: ArgumentHelp("The folder of the sqlite store; it is made where it is not there.", valueName: "folder")
    )
    var data = "waypost-data"

    @Option(help: "Where the time comes from: the system, or POST /v1/clock/advance alone.")
    var clock = Clock.system

    @Option(help: "How much to log on standard error.")
    var logLevel = LogLevel.notice

    enum Store: String, ExpressibleByArgument, CaseIterable {
        case sqlite
        case memory
    }

    enum Clock: String, ExpressibleByArgument, CaseIterable {
        case system
        case manual
    }

    enum LogLevel: String, ExpressibleByArgument, CaseIterable {
        case debug
        case info
        case notice
        case warning
        case error

        var level: Logger.Level {
            Logger.Level(rawValue: rawValue) ?? .notice
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var logger = Logger(label: "waypost-gateway")
        logger.logLevel = logLevel.level
        do {
            let gateway = Gateway(configuration: gatewayConfiguration, sources: .system, logger: logger)
            try await gateway.run { ready in Self.announce(ready) }
        } catch let fault as StartFault {
            try? FileHandle.standardError.write(contentsOf: Data("waypost-gateway: \(fault)\n".utf8))
            throw ExitCode(2)
        }
    }

    private var gatewayConfiguration: GatewayConfiguration {
        var configuration = GatewayConfiguration()
        configuration.host = host
        configuration.servicePort = Int(servicePort)
        configuration.courierPort = Int(courierPort)
        configuration.readyFile = readyFile
        configuration.store = store == .memory ? .memory : .sqlite(folder: data)
        configuration.clock = clock == .manual ? .manual : .system
        return configuration
    }

    private static func announce(_ ready: GatewayReadyFile) {
        let lines = """
            waypost-gateway is ready
              service  \(ready.service)
              courier  \(ready.courier)
              store    \(ready.data.map { "sqlite, in \($0)" } ?? "memory; nothing survives a restart")

            """
        try? FileHandle.standardOutput.write(contentsOf: Data(lines.utf8))
    }
}
