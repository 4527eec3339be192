import Foundation
import Testing
import WaypostSchema

/// The options of `waypost-agent` for its devices, their namespace and their clock.
@Suite(.timeLimit(.minutes(5)), .serialized) struct AgentDevicesTests {
    /// A folder with device files.
    private struct Files {
        let folder = FileManager.default.temporaryDirectory.appending(path: "agent-devices-\(UUID().uuidString)")

        init(_ names: [String: String]) throws {
            try FileManager.default.createDirectory(
                at: folder.appending(path: "phones"),
                withIntermediateDirectories: true
            )
            for (file, name) in names {
                try Data("name: \(name)\napps: []\n".utf8).write(to: folder.appending(path: file))
            }
        }

        func path(_ name: String) -> String {
            folder.appending(path: name).path
        }

        func remove() {
            try? FileManager.default.removeItem(at: folder)
        }
    }

    private static func curl(_ arguments: String...) async throws -> String {
        try await Program.run("curl", ["--silent", "--show-error", "--max-time", "60"] + arguments).output
    }

    private static func withGateway(_ options: [String] = [], _ body: (String) async throws -> Void) async throws {
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts + options) { gateway in
            try await body(try await gateway.value(after: "service"))
        }
    }

    @Test func devicesOfFilesAndFoldersRun() async throws {
        let files = try Files(["ipad.yaml": "iPad", "phones/b.json": "B", "phones/a.yml": "A", "phones/notes.txt": "C"])
        defer { files.remove() }
        try await Self.withGateway { service in
            let options = ["--device", files.path("ipad.yaml"), "--device", files.path("phones"), "--gateway", service]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let names = try await agent.value(after: "devices")
                #expect(names == "iPad, A, B")
                let control = try await agent.value(after: "control")
                let answer = try await Self.curl("\(control)/v1/devices")
                let devices = try JSONDecoder().decode([DeviceStatus].self, from: Data(answer.utf8))
                #expect(devices.map(\.name) == ["iPad", "A", "B"])
                #expect(devices.map(\.isConnected) == [true, true, true])
            }
        }
    }

    @Test(
        arguments: [
            (["a.yaml": "iPad", "b.yaml": "iPad"], ["a.yaml", "b.yaml"], "describes a device 'iPad' too"),
            ([:], ["phones"], "the folder has no file whose name ends in .yaml, .yml or .json"),
            ([:], ["absent.yaml"], "cannot be read"),
        ] as [([String: String], [String], String)]
    ) func unusableFilesAreNamed(_ names: [String: String], _ devices: [String], _ message: String) async throws {
        let files = try Files(names)
        defer { files.remove() }
        let result = try await Program.run("waypost-agent", devices.flatMap { ["--device", files.path($0)] })
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.contains(devices.last ?? ""))
    }

    @Test func unusableNamespaceIsReported() async throws {
        let result = try await Program.run("waypost-agent", ["--namespace", "run 1"])
        #expect(result.status == 64)
        #expect(result.errors.contains("'run 1' is not a namespace"))
    }

    @Test func agentFollowsTheClockOfItsNamespaceAtTheGateway() async throws {
        try await Self.withGateway(["--clock", "manual"]) { service in
            let options = ["--gateway", service, "--namespace", "run-1", "--clock", "gateway"]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let control = try await agent.value(after: "control")
                let moved = try await Self.curl(
                    "\(service)/v1/clock/advance",
                    "--header",
                    "X-Waypost-Namespace: run-1",
                    "--data",
                    #"{"to":4000000000000}"#
                )
                #expect(moved.contains("4000000000000"))
                let reading = try await Self.curl("\(control)/v1/clock")
                #expect(reading == moved)
                let other = try await Self.curl("\(service)/v1/clock")
                #expect(!other.contains("4000000000000"))
            }
        }
    }

    @Test func agentWithTheClockOfAGatewayWithoutOneDoesNotStart() async throws {
        try await Self.withGateway { service in
            let result = try await Program.run("waypost-agent", ["--gateway", service, "--clock", "gateway"])
            #expect(result.status == 2)
            #expect(result.errors.contains("start the gateway with --clock manual"), "\(result.errors)")
        }
    }
}
