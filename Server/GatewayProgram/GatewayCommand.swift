internal import ArgumentParser
internal import CoreMetrics
internal import Foundation
internal import Gateway
internal import GatewaySettings
internal import LocalService
internal import Logging
internal import PrometheusMetrics
internal import WaypostSchema

struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waypost-gateway",
        abstract: "Accept batches of notifications and deliver them to connected devices.",
        usage: "waypost-gateway [<option> ...]",
        discussion: """
            By default the gateway listens on loopback addresses; other addresses need TLS and authentication, or \
            --trust-network. It runs until SIGTERM or SIGINT; then it answers open requests, ends event streams and exits.

            You can also set each option but --exit-on-eof and --restore as an environment variable (--ready-file is \
            WAYPOST_GATEWAY_READY_FILE) or by name in the YAML file of --config ("ready-file: FILE"). Options override \
            environment variables, and variables override the file. Empty variables are ignored.

            With --authentication token or apns, providers need a token that is signed by a key of POST /v1/keys. All \
            other callers of the service listener need the administrative token, except for /health, /v1/ca.pem and the \
            files of the console: the value of the environment variable WAYPOST_ADMIN_TOKEN or, by default, the content of the file admin-token in the data \
            folder, which the gateway creates.
            """,
        version: "waypost-gateway \(ProgramVersion.current)"
    )

    @Option(help: ArgumentHelp("Read settings from this YAML file.", valueName: "file")) var config: String?

    @Option(help: .of(.service)) var service: String?
    @Option(help: .of(.courier)) var courier: String?
    @Option(help: .of(.provider)) var provider: [String] = []
    @Option(help: .of(.providerPlaintext)) var providerPlaintext: String?
    @Option(help: .of(.providerCertificate)) var providerCertificate: String?
    @Option(help: .of(.providerKey)) var providerKey: String?
    @Option(help: .of(.proxy)) var proxy: String?
    @Option(help: .of(.ca)) var ca: String?
    @Option(name: .customLong("client-ca"), help: .of(.clientCA)) var clientCA: String?
    @Option(help: .of(.maxConcurrentStreams)) var maxConcurrentStreams: String?
    @Option(help: .of(.maxHeaderListSize)) var maxHeaderListSize: String?
    @Option(help: .of(.deviceRate)) var deviceRate: String?
    @Option(help: .of(.answerDelay)) var answerDelay: String?
    @Option(help: .of(.recordRequests)) var recordRequests: String?
    @Flag(inversion: .prefixedNo, help: .of(.testTokens)) var testTokens: Bool?
    @Option(help: .of(.allowedHost)) var allowedHost: [String] = []
    @Flag(inversion: .prefixedNo, help: .of(.trustNetwork)) var trustNetwork: Bool?
    @Option(help: .of(.console)) var console: String?
    @Flag(inversion: .prefixedNo, help: .of(.strict)) var strict: Bool?
    @Option(help: .of(.readyFile)) var readyFile: String?
    @Option(help: .of(.store)) var store: String?
    @Option(help: .of(.databaseWait)) var databaseWait: String?
    @Option(help: .of(.memory)) var memory: String?
    @Option(help: .of(.data)) var data: String?
    @Option(help: .of(.clock)) var clock: String?
    @Option(help: .of(.authentication)) var authentication: String?
    @Option(help: .of(.tokenChurn)) var tokenChurn: String?
    @Option(help: .of(.providerEnvironment)) var providerEnvironment: String?
    @Option(help: .of(.missingExpiration)) var missingExpiration: String?
    @Option(help: .of(.logRetention)) var logRetention: String?
    @Option(help: .of(.redelivery)) var redelivery: String?
    @Option(help: .of(.serviceCertificate)) var serviceCertificate: String?
    @Option(help: .of(.serviceKey)) var serviceKey: String?
    @Option(help: .of(.courierCertificate)) var courierCertificate: String?
    @Option(help: .of(.courierKey)) var courierKey: String?
    @Option(help: .of(.logLevel)) var logLevel: String?
    @Option(help: .of(.logFormat)) var logFormat: String?

    @Flag(name: .customLong("exit-on-eof"), help: "Exit when standard input ends, as it does when a test is killed.")
    var exitsOnEOF = false

    @Option(
        help: ArgumentHelp(
            "Restore this backup, from 'waypost backup', into the data folder, which has no store yet; then exit.",
            valueName: "file"
        )
    )
    var restore: String?

    /// Arguments that are not options, which are reported together with all other problems.
    @Argument(parsing: .allUnrecognized, help: .hidden) var unknown: [String] = []

    /// The options on the command line.
    private var flags: [Setting: String] {
        let options: [Setting: String?] = [
            .service: service, .courier: courier, .provider: Self.list(provider),
            .providerPlaintext: providerPlaintext,
            .providerCertificate: providerCertificate, .providerKey: providerKey, .proxy: proxy, .ca: ca,
            .clientCA: clientCA,
            .maxConcurrentStreams: maxConcurrentStreams, .maxHeaderListSize: maxHeaderListSize,
            .deviceRate: deviceRate, .answerDelay: answerDelay, .recordRequests: recordRequests,
            .testTokens: testTokens.map { "\($0)" }, .allowedHost: Self.list(allowedHost),
            .trustNetwork: trustNetwork.map { "\($0)" }, .console: console,
            .strict: strict.map { "\($0)" }, .readyFile: readyFile, .store: store, .databaseWait: databaseWait,
            .memory: memory, .data: data, .clock: clock,
            .authentication: authentication, .tokenChurn: tokenChurn, .providerEnvironment: providerEnvironment,
            .missingExpiration: missingExpiration,
            .logRetention: logRetention, .redelivery: redelivery,
            .serviceCertificate: serviceCertificate, .serviceKey: serviceKey, .courierCertificate: courierCertificate,
            .courierKey: courierKey, .logLevel: logLevel, .logFormat: logFormat,
        ]
        return options.compactMapValues { $0 }
    }

    /// Returns the value of a setting whose option may be given several times.
    private static func list(_ values: [String]) -> String? {
        values.isEmpty ? nil : values.joined(separator: ",")
    }

    func run() async throws {
        do {
            let environment = ProcessInfo.processInfo.environment
            let settings = try GatewaySettings(
                flags: flags,
                unknownFlags: unknown,
                environment: environment,
                file: config
            )
            if let restore {
                umask(0o077)
                print(try settings.configuration.store.restore(restore) { Self.printError("warning: \($0)") })
                return
            }
            try await run(settings, adminToken: environment["WAYPOST_ADMIN_TOKEN"])
        } catch let problems as SettingProblems {
            for problem in problems.problems { Self.printError("\(problem)") }
            throw problems.areInFile ? ExitCode(2) : ExitCode.validationFailure
        } catch let error as GatewayStartError {
            Self.printError("\(error)")
            throw ExitCode(2)
        }
    }

    private func run(_ settings: GatewaySettings, adminToken: String?) async throws {
        // Only the owner may use the files and sockets that the process creates.
        umask(0o077)
        MemoryAllocation.configure()
        CrashReports.turnOffInRelease()
        ProcessLimits.raiseOpenFiles()
        ProcessLimits.disableCoreFiles()
        let log = Self.bootstrapLogging(settings.logFormat)
        defer { log.flush() }
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        var logger = Logger(label: "waypost-gateway")
        logger.logLevel = settings.logLevel
        let memory = settings.configuration.memory ?? MemoryLimit.ofThisProcess().bytes
        let configuration = settings.configuration.limited(to: memory)
        let gateway = Gateway(
            configuration: configuration,
            sources: .system,
            metrics: metrics,
            adminToken: adminToken,
            releaseMemory: MemoryAllocation.release,
            logger: logger
        )
        try await Program.run(logger: logger, until: exitsOnEOF ? EndOfInput() : nil, onForcedEnd: log.flush) {
            try await gateway.run { ready in Self.announce(ready, configuration) }
        }
    }

    private static func bootstrapLogging(_ format: LogFormat) -> LogQueue {
        let now = GatewaySources.system.now
        let queue = LineLogHandler.queue(for: configuration.commandName ?? "", format: format, now: now)
        LoggingSystem.bootstrap { LineLogHandler(label: $0, format: format, now: now, write: queue.add) }
        return queue
    }

    private static func printError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("waypost-gateway: \(line)\n".utf8))
    }

    private static func announce(_ ready: GatewayReadyFile, _ configuration: GatewayConfiguration) {
        let furtherProviders = configuration.furtherProviders.map { $0.url(port: $0.port, isSecure: true) }
        let providers = ([ready.provider] + furtherProviders + [ready.providerPlaintext]).compactMap { $0 }
            .joined(separator: ", ")
        let proxy = ready.proxy.map { "\n  proxy     \($0), for *.push.apple.com" } ?? ""
        let trust = ready.ca.map { "\n  trust     \($0)" } ?? ""
        let network = configuration.trustDescription.map { "\n  network   trusted: \($0)" } ?? ""
        let lines = """
            waypost-gateway is ready
              service   \(ready.service)
              courier   \(ready.courier)
              provider  \(providers)\(proxy)\(trust)
              store     \(configuration.store.summary)\(network)

            """
        try? FileHandle.standardOutput.write(contentsOf: Data(lines.utf8))
    }
}

extension ArgumentHelp {
    /// Returns the help of a setting's option.
    fileprivate static func of(_ setting: Setting) -> Self {
        ArgumentHelp("\(setting.summary)", valueName: setting.valueName)
    }
}
