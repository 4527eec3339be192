internal import ArgumentParser
internal import AssociationFetching
internal import DeviceAgent
internal import DeviceFiles
internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import LocalFiles
internal import LocalProcesses
internal import LocalService
internal import Logging
internal import Scenarios
internal import SchemaFiles
internal import ServiceLifecycle
internal import WaypostSchema

struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waypost-agent",
        abstract: "Run devices: receive notifications from a gateway, and open the right scenes.",
        usage: "waypost-agent [--device <file>] ... [<option> ...]",
        discussion: """
            A device file describes a device in YAML or JSON: its name, its apps, their scenes and the activation \
            conditions of each scene. The agent registers its devices and stays connected until SIGTERM or SIGINT. \
            Scripts and users control the devices through the control API, which also adds and removes devices. If the \
            gateway requires its administrative token, set it in the environment variable WAYPOST_ADMIN_TOKEN.
            """,
        version: "waypost-agent \(ProgramVersion.current)"
    )

    @Option(
        help: ArgumentHelp(
            """
            A device file, or a folder of device files; may be given several times. With a name and '=' before the \
            file, the device has this name instead of the one in the file.
            """,
            valueName: "[name=]file|folder"
        )
    )
    var device: [String] = []

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
            "End with status 69 if no gateway answers within this time after the start (default: 30s).",
            valueName: "duration"
        )
    )
    var connectTimeout = "30s"

    @Option(
        help: ArgumentHelp("The gateway's namespace for the devices (default: its standard one).", valueName: "name")
    )
    var namespace: String?

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

    @Option(
        help: ArgumentHelp(
            "A name by which clients may call the APIs, besides localhost; may be given several times.",
            valueName: "name"
        )
    )
    var allowedHost: [String] = []

    @Flag(
        help: """
            Require a token from callers of the control API: the value of the environment variable \
            WAYPOST_CONTROL_TOKEN, or a random one in the ready file.
            """
    )
    var controlToken = false

    @Option(help: "The source of the devices' time; with 'gateway' they follow the gateway's manual clock.")
    var clock = ClockSource.system

    @Option(
        help: ArgumentHelp(
            "Store the devices in this folder (default: store nothing after the process ends).",
            valueName: "folder"
        )
    )
    var data: String?

    @Option(help: ArgumentHelp("Write the URLs of the APIs to this file once connected.", valueName: "file"))
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            "Use the gateway that wrote this ready file, instead of --gateway and --courier.",
            valueName: "file"
        )
    )
    var gatewayReadyFile: String?

    @Flag(help: "Perform steps from standard input, a JSON object a line, and write the answers and all events.")
    var stdio = false

    @Flag(
        help: """
            With --stdio, request the content of device files, and of the files that they name, from the other program: \
            for an agent in a container or on another machine.
            """
    )
    var requestFiles = false

    @Flag(name: .customLong("exit-on-eof"), help: "Exit when standard input ends, as it does when a test is killed.")
    var exitsOnEOF = false

    @Option(help: "The level of the log on standard error.")
    var logLevel = LogLevel.notice

    enum ClockSource: String, ExpressibleByArgument, CaseIterable {
        case system
        case manual
        case gateway
    }

    func validate() throws {
        guard stdio || !requestFiles else { throw ValidationError("--request-files needs --stdio") }
        if let error = namespace.flatMap(Namespace.error) { throw ValidationError(error) }
        for name in allowedHost where !AllowedHosts.isValidHost(name) {
            throw ValidationError("--allowed-host: '\(name)' is not a host name; give it without a port")
        }
        guard DurationText.milliseconds(in: connectTimeoutText) != 0 else {
            throw ValidationError("--connect-timeout must be more than 0")
        }
        if let problem = DurationText.problem(of: connectTimeoutText) {
            throw ValidationError("--connect-timeout: '\(connectTimeout)' is not a duration\(problem)")
        }
    }

    /// The time-out with its unit; a number alone is in seconds.
    private var connectTimeoutText: String {
        connectTimeout.allSatisfy(\.isNumber) ? connectTimeout + "s" : connectTimeout
    }

    func run() async throws {
        // Only the owner may use the files and sockets that the process creates.
        umask(0o077)
        CrashReports.turnOffInRelease()
        let logQueue = LineLogHandler.queue(for: "waypost-agent", format: .text, now: AgentSources.system.now)
        defer { logQueue.flush() }
        LoggingSystem.bootstrap {
            LineLogHandler(label: $0, format: .text, now: AgentSources.system.now, write: logQueue.add)
        }
        var logger = Logger(label: "waypost-agent")
        logger.logLevel = logLevel.level
        let input = stdio ? makeSessionInput() : nil
        defer { input?.files?.remove() }
        do {
            let configuration = try await configuration(input?.files)
            let agent = AgentProcess(
                configuration: configuration,
                sources: sources,
                logger: logger
            )
            ProcessLimits.raiseOpenFiles()
            ProcessLimits.disableCoreFiles()
            let names = configuration.devices.map(\.description.name)
            let (ready, announcement) = AsyncStream.makeStream(of: AgentReadyFile.self)
            let end = try input.map { try makeStandardStreamService($0, ready) } ?? (exitsOnEOF ? EndOfInput() : nil)
            try await Program.run(logger: logger, until: end, onForcedEnd: logQueue.flush) {
                try await agent.run { urls in
                    // With --stdio, standard output has only the lines of the session.
                    if !stdio { Self.announce(urls, devices: names) }
                    announcement.yield(urls)
                }
            }
        } catch let error as FileFindings {
            throw Self.usageError("\(error)")
        } catch let error as DescriptionError {
            throw Self.usageError("\(error)")
        } catch let error as AgentStartError {
            let problem = Self.usageError("\(error)")
            throw error.isUnreachable ? ExitCode(Self.unavailableStatus) : problem
        }
    }

    /// Returns the input of a session, which receives the lines of standard input from here on.
    private func makeSessionInput() -> SessionInput {
        let folder = FileManager.default.temporaryDirectory.appending(path: "waypost-agent-files-\(UUID().uuidString)")
        let input = SessionInput(copyingFilesTo: requestFiles ? folder : nil, write: StandardOutputLines().write)
        StandardInput.readLines(input.receive, finish: input.finish)
        return input
    }

    private func makeStandardStreamService(
        _ input: SessionInput,
        _ ready: AsyncStream<AgentReadyFile>
    ) throws -> any Service {
        StandardStreamService(
            input: input,
            gateway: GatewayEndpoints(
                try gatewayURLs ?? GatewayReadyFile(service: gateway, courier: courier ?? ""),
                adminToken: try adminToken
            ),
            namespace: namespace.map(Namespace.init),
            ready: ready
        )
    }

    /// The URLs of the gateway in its ready file, if there is one.
    private var gatewayURLs: GatewayReadyFile? {
        get throws {
            guard let gatewayReadyFile else { return nil }
            do {
                return try ReadyFiles.read(GatewayReadyFile.self, from: gatewayReadyFile)
            } catch {
                throw Self.usageError("--gateway-ready-file: \(error)")
            }
        }
    }

    /// The gateway's administrative token in the environment, or else in the data folder that its ready file names.
    private var adminToken: String? {
        get throws {
            ReadyFiles.adminToken(ProcessInfo.processInfo.environment, dataFolder: try gatewayURLs?.data)
        }
    }

    private var sources: AgentSources {
        switch clock {
        case .system: .system
        case .manual: .manual(from: AgentSources.system.now())
        // The agent reads the gateway's clock before anything else.
        case .gateway: .manual(from: Timestamp(milliseconds: 0))
        }
    }

    /// Returns the configuration that the options describe.
    ///
    /// - Parameter files: copies of the device files, if this machine does not have them.
    /// - Returns: the configuration.
    /// - Throws: `ExitCode`, `FileFindings`.
    private func configuration(_ files: RequestedFiles?) async throws -> AgentConfiguration {
        for url in [gateway] + [courier].compactMap(\.self) {
            if let error = ListenerURL.error(in: url) { throw Self.usageError(error) }
        }
        let urls = try gatewayURLs
        var configuration = AgentConfiguration(
            devices: try await devices(files),
            service: urls?.service ?? gateway,
            courier: urls?.courier ?? courier
        )
        let adminToken = ChangingAdminToken(ProcessInfo.processInfo.environment, dataFolder: urls?.data)
        configuration.adminToken = { adminToken.current() }
        configuration.namespace = namespace.map(Namespace.init)
        configuration.connectTimeout = DurationText.milliseconds(in: connectTimeoutText).map(Duration.milliseconds)
        configuration.followsGatewayClock = clock == .gateway
        configuration.control = control
        configuration.apps = apps
        configuration.allowedHosts = AllowedHosts(allowedHost)
        configuration.controlToken = try tokenChoice()
        configuration.data = data
        configuration.readyFile = readyFile
        return configuration
    }

    private func tokenChoice() throws -> ControlTokenChoice {
        guard controlToken else { return .none }
        if let token = ProcessInfo.processInfo.environment["WAYPOST_CONTROL_TOKEN"], !token.isEmpty {
            return .fixed(token)
        }
        guard readyFile != nil else {
            throw Self.usageError(
                "--control-token needs --ready-file, or WAYPOST_CONTROL_TOKEN in the environment",
                status: .validationFailure
            )
        }
        return .random
    }

    /// Reads the device files, or copies of them.
    ///
    /// - Parameter requestedFiles: the copies.
    /// - Returns: the devices.
    /// - Throws: `FileFindings` with all problems of all files, or with the first file that cannot be copied.
    private func devices(_ requestedFiles: RequestedFiles?) async throws -> [ConfiguredDevice] {
        guard let requestedFiles else { return try devices(in: device, readsFiles: true) }
        var copies: [String] = []
        for value in device {
            // Only the other program has the file, so the files of this machine decide nothing.
            let equalsSign = value.firstRange(of: "=/")?.lowerBound
            let start = value.hasPrefix("/") ? value.startIndex : equalsSign.map(value.index(after:))
            guard let start else {
                throw Self.usageError("--device: '\(value)': with --request-files, give an absolute path")
            }
            copies.append(value[..<start] + (try await requestedFiles.copy(of: String(value[start...]))))
        }
        do {
            var devices = try devices(in: copies, readsFiles: false)
            for index in devices.indices {
                let associations = devices[index].developmentAssociations.sorted { $0.key < $1.key }
                for case (let domain, .localFile(let path)) in associations {
                    let copy = try await requestedFiles.copy(of: path)
                    devices[index].developmentAssociations[domain] = .localFile(path: copy)
                }
            }
            return devices
        } catch let findings as FileFindings {
            throw requestedFiles.findings(inOriginals: findings)
        }
    }

    /// Reads device files.
    ///
    /// - Parameters:
    ///   - values: the values of `--device`.
    ///   - readsFiles: whether the photographs that the files name can be read here.
    /// - Returns: the devices.
    /// - Throws: `FileFindings` with all problems of all files.
    private func devices(in values: [String], readsFiles: Bool) throws -> [ConfiguredDevice] {
        let schema = try FileSchema.device()
        var devices: [ConfiguredDevice] = []
        var files: [String: String] = [:]
        let findings = values.flatMap { value in
            FileFindings.findings { () throws(FileFindings) in
                for (name, path) in try Self.files(in: value) {
                    var file = try DeviceFile(path, schema, readsFiles: readsFiles)
                    var description = file.description
                    if let name { description.name = name }
                    if let other = files.updateValue(path, forKey: description.name) {
                        file.reportName(description.name, alsoIn: other)
                    }
                    do throws(DevelopmentAssociationError) {
                        devices.append(try ConfiguredDevice(description, relativeTo: path))
                    } catch {
                        file.content.report("\(error)", at: "associatedDomainsDevelopment", error.domain)
                    }
                    try file.content.throwProblems()
                }
            }
        }
        guard findings.isEmpty else { throw FileFindings(findings) }
        return devices
    }

    /// Returns the device files that a value of `--device` names, and the name of the device if it has one.
    private static func files(in value: String) throws(FileFindings) -> [(name: String?, file: String)] {
        guard !FileManager.default.fileExists(atPath: value), let equalsSign = value.firstIndex(of: "=") else {
            return try DeviceFile.paths(at: value).map { (nil, $0) }
        }
        return [(String(value[..<equalsSign]), String(value[value.index(after: equalsSign)...]))]
    }

    /// The exit status if the gateway cannot be reached: EX_UNAVAILABLE of sysexits.h.
    private static let unavailableStatus: Int32 = 69

    /// Writes a message about an unusable argument to standard error, and returns the exit code for it.
    private static func usageError(_ message: String, status: ExitCode = ExitCode(2)) -> ExitCode {
        try? FileHandle.standardError.write(contentsOf: Data("waypost-agent: \(message)\n".utf8))
        return status
    }

    /// The maximum number of devices whose names are announced.
    private static let maximumNames = 5

    private static func announce(_ ready: AgentReadyFile, devices: [String]) {
        let names = devices.count > maximumNames ? "\(devices.count)" : devices.joined(separator: ", ")
        var lines = ["waypost-agent is ready"]
        if !devices.isEmpty { lines.append((devices.count == 1 ? "  device   " : "  devices  ") + names) }
        lines += ["  control  \(ready.control)", "  apps     \(ready.apps ?? "")", ""]
        try? FileHandle.standardOutput.write(contentsOf: Data(lines.joined(separator: "\n").utf8))
    }
}

extension LogLevel: ExpressibleByArgument {}

extension AgentAddress: ExpressibleByArgument {
    /// Parses an address of the command line.
    package init?(argument: String) {
        self.init(argument)
    }
}
