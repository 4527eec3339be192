import ArgumentParser
import CoreMetrics
import Foundation
import Gateway
import Logging
import PrometheusMetrics
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

            With --authentication token or apns, providers show a token that is signed by a key of POST /v1/keys, and \
            whoever else calls the service listener shows the administrative token: the \
            one in the environment variable WAYPOST_ADMIN_TOKEN, or else the one in the file admin-token of the data \
            folder, which the gateway makes.
            """
    )

    @Option(help: ArgumentHelp("Where batches, devices and the log are; port 0: any free one.", valueName: "addr:port"))
    var service = GatewayConfiguration().service

    @Option(help: ArgumentHelp("Where devices connect (events, acks); port 0: any free one.", valueName: "addr:port"))
    var courier = GatewayConfiguration().courier

    @Option(
        help: ArgumentHelp(
            "Where APNs clients connect with TLS (HTTP/2 and HTTP/1.1); it needs a certificate.",
            valueName: "addr:port"
        )
    )
    var provider: ListenerAddress?

    @Option(
        help: ArgumentHelp("Where APNs clients connect without TLS; port 0: any free one.", valueName: "addr:port")
    )
    var providerPlaintext = ListenerAddress(port: 7333)

    @Option(help: ArgumentHelp("The certificate of the provider listener, in PEM.", valueName: "file"))
    var providerCertificate: String?

    @Option(help: ArgumentHelp("The private key of the provider listener's certificate, in PEM.", valueName: "file"))
    var providerKey: String?

    @Flag(help: "Refuse what APNs does not call an error, but unusual.")
    var strict = false

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

    @Option(help: "Who may send: everybody on this machine (none), who shows a signed token, or as APNs has it (apns).")
    var authentication = Authentication.none

    @Option(
        help: ArgumentHelp(
            "How long the delivery log keeps what has ended, like 24h, 30m or 90s; 0: no log.",
            valueName: "time"
        )
    )
    var logRetention = Seconds(count: GatewayConfiguration().logRetention)

    @Option(
        help: ArgumentHelp("How long to wait for an acknowledgement before sending again, like 30s.", valueName: "time")
    )
    var redelivery = Seconds(count: GatewayConfiguration().redelivery.first)

    @Option(help: ArgumentHelp("Let the courier listener speak TLS with this certificate, in PEM.", valueName: "file"))
    var courierCertificate: String?

    @Option(help: ArgumentHelp("The private key of the courier's certificate, in PEM.", valueName: "file"))
    var courierKey: String?

    @Option(help: "How much to log on standard error.")
    var logLevel = LogLevel.notice

    @Option(help: "How to log: text, or json (one object a line).")
    var logFormat = LogFormat.text

    enum Store: String, ExpressibleByArgument, CaseIterable {
        case sqlite
        case memory
    }

    enum Clock: String, ExpressibleByArgument, CaseIterable {
        case system
        case manual
    }

    enum LogFormat: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
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

    func validate() throws {
        guard (courierCertificate == nil) == (courierKey == nil) else {
            throw ValidationError("--courier-certificate and --courier-key go together")
        }
        guard (providerCertificate == nil) == (providerKey == nil) else {
            throw ValidationError("--provider-certificate and --provider-key go together")
        }
        guard redelivery.count > 0 else {
            throw ValidationError("--redelivery has to be more than nothing, like 30s")
        }
    }

    func run() async throws {
        bootstrapLogging()
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        var logger = Logger(label: "waypost-gateway")
        logger.logLevel = logLevel.level
        do {
            let gateway = Gateway(
                configuration: gatewayConfiguration,
                sources: .system,
                metrics: metrics,
                adminToken: ProcessInfo.processInfo.environment["WAYPOST_ADMIN_TOKEN"],
                logger: logger
            )
            try await gateway.run { ready in Self.announce(ready) }
        } catch let fault as StartFault {
            try? FileHandle.standardError.write(contentsOf: Data("waypost-gateway: \(fault)\n".utf8))
            throw ExitCode(2)
        }
    }

    private func bootstrapLogging() {
        switch logFormat {
        case .text: LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        case .json:
            LoggingSystem.bootstrap { label in
                JSONLogHandler(label: label, now: GatewaySources.system.now) { line in
                    try? FileHandle.standardError.write(contentsOf: Data(line))
                }
            }
        }
    }

    private var gatewayConfiguration: GatewayConfiguration {
        var configuration = GatewayConfiguration()
        configuration.service = service
        configuration.courier = courier
        configuration.provider = provider
        configuration.providerPlaintext = providerPlaintext
        configuration.isStrict = strict
        configuration.readyFile = readyFile
        configuration.store = store == .memory ? .memory : .sqlite(folder: data)
        configuration.clock = clock == .manual ? .manual : .system
        configuration.authentication = authentication
        configuration.logRetention = logRetention.count
        configuration.redelivery.first = redelivery.count
        configuration.redelivery.longest = max(configuration.redelivery.longest, redelivery.count)
        if let courierCertificate, let courierKey {
            configuration.courierTLS = TLSFiles(certificate: courierCertificate, key: courierKey)
        }
        if let providerCertificate, let providerKey {
            configuration.providerTLS = TLSFiles(certificate: providerCertificate, key: providerKey)
        }
        return configuration
    }

    private static func announce(_ ready: GatewayReadyFile) {
        let providers = [ready.provider, ready.providerPlaintext].compactMap { $0 }.joined(separator: ", ")
        let lines = """
            waypost-gateway is ready
              service   \(ready.service)
              courier   \(ready.courier)
              provider  \(providers)
              store     \(ready.data.map { "sqlite, in \($0)" } ?? "memory; nothing survives a restart")

            """
        try? FileHandle.standardOutput.write(contentsOf: Data(lines.utf8))
    }
}

extension Authentication: ExpressibleByArgument {}

extension ListenerAddress: ExpressibleByArgument {
    /// Reads an address such as `127.0.0.1:7330`.
    package init?(argument: String) {
        self.init(argument)
    }

    /// The address as it is written on the command line.
    package var defaultValueDescription: String {
        description
    }
}
