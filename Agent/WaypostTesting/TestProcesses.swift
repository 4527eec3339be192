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

    /// Runs a gateway and an agent, and `body` with them.
    ///
    /// Both end when `body` returns, and when this process is killed.
    ///
    /// - Parameters:
    ///   - files: the values of the agent's option `--device`.
    ///   - environment: the variables that say where the programs are.
    ///   - body: uses the processes.
    /// - Throws: `WaypostError`, and the error of `body`.
    static func run(
        devices files: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        _ body: @Sendable (TestProcesses) async throws -> Void
    ) async throws {
        let gatewayProgram = try Programs.executable("waypost-gateway", environment: environment)
        let agentProgram = try Programs.executable("waypost-agent", environment: environment)
        let folder = FileManager.default.temporaryDirectory.appending(path: "waypost-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ready = folder.appending(path: "gateway.json").path
        let arguments = [
            "--store", "memory", "--data", folder.path, "--clock", "manual", "--service", "127.0.0.1:0", "--courier",
            "127.0.0.1:0", "--provider", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--ready-file", ready,
            "--exit-on-eof",
        ]
        let log = folder.appending(path: "gateway.log").path
        try await run(gatewayProgram, arguments, log: log) { lines, _ in
            // The gateway prints its URLs after it has written the ready file.
            var iterator = lines.makeAsyncIterator()
            guard try await iterator.next() != nil else {
                throw WaypostError.ended("waypost-gateway", log: Self.tail(of: log))
            }
            let gateway = try DocumentDecoder.decode(
                GatewayReadyFile.self,
                from: Data(contentsOf: URL(filePath: ready))
            )
            let options = ["--gateway-ready-file", ready, "--clock", "gateway", "--stdio"]
            try await runAgent(
                agentProgram,
                options + files.flatMap { ["--device", $0] },
                log: folder.appending(path: "agent.log").path,
                gateway: gateway,
                body: body
            )
        }
    }

    private static func runAgent(
        _ program: Executable,
        _ arguments: [String],
        log: String,
        gateway: GatewayReadyFile,
        body: @Sendable (TestProcesses) async throws -> Void
    ) async throws {
        try await run(program, arguments, log: log) { lines, writer in
            let channel = StepChannel(writer)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    defer { channel.end(.ended("waypost-agent", log: Self.tail(of: log))) }
                    for try await line in lines { try channel.receive(line) }
                }
                let devices = try await channel.devices()
                try await body(TestProcesses(gateway: gateway, devices: devices, channel: channel))
                try await writer.finish()
                try await group.waitForAll()
            }
        }
    }

    /// Runs a program while `body` runs, which gets its lines and its input.
    private static func run(
        _ program: Executable,
        _ arguments: [String],
        log: String,
        body: (SubprocessOutputSequence.StringSequence<UTF8>, StandardInputWriter) async throws -> Void
    ) async throws {
        let errors = try FileDescriptor.open(FilePath(log), .writeOnly, options: .create, permissions: .ownerReadWrite)
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        _ = try await Subprocess.run(
            program,
            arguments: Arguments(arguments),
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
