import Foundation
import LoadTesting
import ProcessTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// A gateway and an agent that use every kind of secret, and a folder with everything that they leave.
///
/// The environment of a process is not part of it: only its user and root can read that, and they may read the files
/// with the secrets, too.
struct SecretRun: Sendable {
    /// The app on the device of the agent.
    static let app = "com.example.clowntown"

    private static let description = """
        name: iPad
        environment: sandbox
        apps:
          - bundleIdentifier: \(app)
            scenes:
              - persistentIdentifier: overview
        """

    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        _ = try scratch.write(Self.description.utf8, to: "ipad.yaml")
    }

    /// The path of the folder.
    var folder: String { scratch.path }

    /// Returns the path of a file in the folder.
    func path(of name: String) -> String {
        scratch.path(of: name)
    }

    /// Returns the only line of a file.
    func line(of name: String) throws -> String {
        try String(contentsOfFile: path(of: name), encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// Stores a text of the run in a file.
    func keep(_ text: String, as name: String) throws {
        _ = try scratch.write(text.utf8, to: name)
    }

    /// Sends a request, and stores the answer in a file.
    @discardableResult func send(_ request: RawRequest, to listener: String, as name: String) async throws -> String {
        let answer = try await request.answer(of: listener)
        try keep(answer, as: name)
        return answer
    }

    /// Runs `waypost`, and stores what it prints in a file.
    func waypost(_ arguments: String..., as name: String) async throws {
        let result = try await Program.run("waypost", arguments)
        #expect(result.status == 0, "\(arguments): \(result.errors)")
        try keep(result.output + result.errors, as: name)
    }

    /// Starts the gateway, whose output is added to `waypost-gateway.log`.
    func startGateway() async throws -> (process: ChildProcess, ready: GatewayReadyFile) {
        let ready = path(of: "gateway-ready.json")
        let process = try await start(
            "waypost-gateway",
            [
                "--store", "sqlite", "--data", path(of: "data"), "--service", "127.0.0.1:0",
                "--courier", "127.0.0.1:0", "--provider", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0",
                "--authentication", "token", "--record-requests", "1000", "--log-level", "debug",
                "--ready-file", ready,
            ],
            readyFile: ready
        )
        let data = try Data(contentsOf: URL(filePath: ready))
        return (process, try JSONDecoder().decode(GatewayReadyFile.self, from: data))
    }

    /// Starts the agent, whose output is added to `waypost-agent.log`.
    func startAgent() async throws -> (process: ChildProcess, ready: AgentReadyFile) {
        let ready = path(of: "agent-ready.json")
        let process = try await start(
            "waypost-agent",
            [
                "--device", path(of: "ipad.yaml"), "--data", path(of: "device"),
                "--gateway-ready-file", path(of: "gateway-ready.json"), "--control-token", "--log-level", "debug",
                "--ready-file", ready,
            ],
            readyFile: ready
        )
        let data = try Data(contentsOf: URL(filePath: ready))
        return (process, try JSONDecoder().decode(AgentReadyFile.self, from: data))
    }

    /// Starts a program in the folder, so that a core file would be there, too.
    private func start(_ name: String, _ arguments: [String], readyFile: String) async throws -> ChildProcess {
        try? FileManager.default.removeItem(atPath: readyFile)
        // A crash of a debug build is reported for minutes otherwise.
        let script = #"cd "$1"; log=$2; shift 2; exec env SWIFT_BACKTRACE=enable=no "$@" >>"$log" 2>&1"#
        let process = try ChildProcess(
            ["sh", "-c", script, "sh", folder, path(of: "\(name).log"), BuiltPrograms.path(of: name)] + arguments
        )
        try await waitUntil("\(name) is ready", within: .seconds(120)) {
            FileManager.default.fileExists(atPath: readyFile)
        }
        return process
    }

    /// Stores what other users can read about a process, and returns the size of the core file that it may leave.
    func keepPublicFiles(of process: ChildProcess, as name: String) async throws -> String? {
        for file in ["cmdline", "comm", "status"] {
            let data = try await ExternalCommand.run(["cat", "/proc/\(process.identifier)/\(file)"])
            _ = try scratch.write(data, to: "\(name)-\(file).txt")
        }
        let limits = try await ExternalCommand.run(["cat", "/proc/\(process.identifier)/limits"])
        let line = String(decoding: limits, as: UTF8.self).split(separator: "\n").first {
            $0.hasPrefix("Max core file size")
        }
        return line?.split(separator: " ").dropFirst(4).first.map(String.init)
    }

    /// Returns a provider token that is signed by the key in `key.p8`.
    func providerToken() throws -> String {
        let pem = try String(contentsOfFile: path(of: "key.p8"), encoding: .utf8)
        let key = try #require(ProviderTokenKey(pem: pem, id: "ABC123DEFG", team: "TEAM123456"))
        return try key.token(at: Int(Date().timeIntervalSince1970))
    }
}
