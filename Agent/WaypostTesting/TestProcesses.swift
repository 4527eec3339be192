internal import Foundation
internal import JSONScanning
internal import Subprocess
internal import SystemPackage
internal import WaypostSchema

/// The processes of a test: a gateway, and an agent with the devices.
struct TestProcesses: Sendable {
    /// The URLs of the gateway.
    let gateway: GatewayReadyFile

    /// The devices with their tokens.
    let devices: [StepChannel.Answer.Registration]

    let channel: StepChannel

    /// The keys of the gateway for provider tokens.
    let keys: GatewayKeys

    /// Runs an agent, and a gateway unless there is a running one, and `body` with them.
    ///
    /// Both end when `body` returns, and when this process is killed.
    ///
    /// - Parameters:
    ///   - files: the values of the agent's option `--device`.
    ///   - gatewayURL: the URL of a running gateway; `nil` for that in the environment, or else a new one.
    ///   - environment: the variables that say where the programs are.
    ///   - body: uses the processes.
    /// - Throws: `WaypostError`, and the error of `body`.
    static func run(
        devices files: [String],
        gateway gatewayURL: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        _ body: @Sendable (TestProcesses) async throws -> Void
    ) async throws {
        let runningURL = [gatewayURL, environment["WAYPOST_GATEWAY"]].compactMap(\.self).first { !$0.isEmpty }
        let gatewayProgram =
            runningURL == nil ? try Programs.executable("waypost-gateway", environment: environment) : nil
        let agent = try AgentCommandLine(environment, files: files)
        let folder = FileManager.default.temporaryDirectory.appending(path: "waypost-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let gatewayProgram {
            // The gateway requires it only with authentication.
            let keys = GatewayKeys(environment, adminToken: randomAdminToken(), folder: folder)
            try await runGateway(gatewayProgram, in: folder, keys: keys) { gateway, ready in
                let options = ["--gateway-ready-file", ready, "--clock", "gateway"]
                try await runAgent(agent, options, in: folder, gateway: gateway, keys: keys, body: body)
            }
        } else if let runningURL {
            let keys = GatewayKeys(environment, adminToken: nil, folder: folder)
            let running = RunningGateway(runningURL, adminToken: environment["WAYPOST_ADMIN_TOKEN"])
            let namespace = Namespace(rawValue: "test-\(UUID().uuidString.lowercased())")
            let gateway = try await running.urls(writingCertificateTo: folder)
            let clock = try await running.hasManualClock() ? "gateway" : "system"
            let options = ["--gateway", gateway.service, "--clock", clock, "--namespace", namespace.rawValue]
            do {
                try await runAgent(agent, options, in: folder, gateway: gateway, keys: keys, body: body)
            } catch {
                try? await running.delete(namespace)
                throw error
            }
            // If this fails, or the test is canceled, the namespace stays. The result of the test is what counts.
            try? await running.delete(namespace)
        }
    }

    /// Returns a random administrative token.
    private static func randomAdminToken() -> String {
        (0..<4).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }

    private static func runGateway(
        _ program: Executable,
        in folder: URL,
        keys: GatewayKeys,
        _ body: (_ gateway: GatewayReadyFile, _ readyFile: String) async throws -> Void
    ) async throws {
        let ready = folder.appending(path: "gateway.json").path
        let arguments = [
            "--store", "memory", "--data", folder.path, "--clock", "manual", "--service", "127.0.0.1:0", "--courier",
            "127.0.0.1:0", "--provider", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--ready-file", ready,
            "--exit-on-eof",
        ]
        let log = folder.appending(path: "gateway.log").path
        try await run(program, arguments, keys.environment, log: log) { lines, _ in
            // The gateway prints its URLs after it has written the ready file.
            var iterator = lines.makeAsyncIterator()
            guard try await iterator.next() != nil else {
                throw WaypostError.ended("waypost-gateway", log: Self.tail(of: log))
            }
            let file = try Data(contentsOf: URL(filePath: ready))
            try await body(DocumentDecoder.decode(GatewayReadyFile.self, from: file), ready)
        }
    }

    private static func runAgent(
        _ agent: AgentCommandLine,
        _ gatewayOptions: [String],
        in folder: URL,
        gateway: GatewayReadyFile,
        keys: GatewayKeys,
        body: @Sendable (TestProcesses) async throws -> Void
    ) async throws {
        let log = folder.appending(path: "agent.log").path
        try await run(agent.program, agent.arguments + gatewayOptions, keys.environment, log: log) { lines, writer in
            let channel = StepChannel(writer, deviceFiles: agent.deviceFiles)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    defer { channel.end(.ended("waypost-agent", log: Self.tail(of: log))) }
                    for try await line in lines { try await channel.receive(line) }
                }
                let devices = try await channel.devices()
                try await body(TestProcesses(gateway: gateway, devices: devices, channel: channel, keys: keys))
                try await writer.finish()
                try await group.waitForAll()
            }
        }
    }

    /// Runs a program while `body` runs, which gets its lines and its input.
    private static func run(
        _ program: Executable,
        _ arguments: [String],
        _ environment: Environment,
        log: String,
        body: (SubprocessOutputSequence.StringSequence<UTF8>, StandardInputWriter) async throws -> Void
    ) async throws {
        let errors = try FileDescriptor.open(FilePath(log), .writeOnly, options: .create, permissions: .ownerReadWrite)
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        _ = try await Subprocess.run(
            program,
            arguments: Arguments(arguments),
            environment: environment,
            platformOptions: options,
            input: .inputWriter,
            output: .sequence,
            error: .fileDescriptor(errors, closeAfterSpawningProcess: true)
        ) { execution in
            let lines = execution.standardOutput.strings(bufferingPolicy: .unbounded)
            try await body(lines, execution.standardInputWriter)
        }
    }

    /// Returns the last lines of a log.
    private static func tail(of log: String) -> String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(10).joined(separator: "\n")
    }
}

/// The command that runs an agent.
private struct AgentCommandLine {
    let program: Executable
    var arguments: [String]

    /// The paths of the device files.
    let deviceFiles: [String]

    /// Creates the command: `waypost-agent`, or the one that the environment names.
    ///
    /// - Parameters:
    ///   - environment: the variables.
    ///   - files: the values of the option `--device`.
    /// - Throws: `WaypostError.programMissing`.
    init(_ environment: [String: String], files: [String]) throws(WaypostError) {
        let words = (environment["WAYPOST_AGENT_COMMAND"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        if let name = words.first {
            program = .name(name)
            // A program that runs elsewhere cannot read the files of this machine.
            arguments = words.dropFirst() + ["--request-files"]
        } else {
            program = try Programs.executable("waypost-agent", environment: environment)
            arguments = []
        }
        arguments += ["--stdio"] + files.flatMap { ["--device", $0] }
        deviceFiles = files.map { value in
            let file = value.split(separator: "=/", maxSplits: 1).dropFirst().last.map { "/\($0)" } ?? value
            return URL(filePath: file).standardizedFileURL.path
        }
    }
}
