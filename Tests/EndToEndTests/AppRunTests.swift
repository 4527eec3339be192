import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// `waypost app run`: an app as a process of its own, beside the agent.
@Suite(.timeLimit(.minutes(5)), .serialized) struct AppRunTests {
    private static let crusty = "https://clowntown.example/clowns/crusty"

    private static let deviceFile = """
        name: iPad
        apps:
          - bundleIdentifier: com.example.clowntown
            scenes:
              - {persistentIdentifier: overview, state: foregroundActive}
              - {persistentIdentifier: crusty, state: background}
        """

    private static let appFile = """
        bundleIdentifier: com.example.clowntown
        scenes: []
        process:
          shortcutItems: [{type: call, localizedTitle: Call Crusty}]
          conditions:
            crusty:
              canActivateForTargetContentIdentifierPredicate: SELF == "\(crusty)"
              prefersToActivateForTargetContentIdentifierPredicate: SELF == "\(crusty)"
        """

    /// The files of a test: the device file, the app file and the folder in which the agent stores the device.
    private struct Files {
        let folder = FileManager.default.temporaryDirectory.appending(path: "app-run-\(UUID().uuidString)")

        func path(_ name: String) -> String {
            folder.appending(path: name).path
        }

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(deviceFile.utf8).write(to: folder.appending(path: "ipad.yaml"))
            try Data(appFile.utf8).write(to: folder.appending(path: "clowntown.yaml"))
        }

        func remove() {
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// Runs `body` while a gateway runs, with the options by which an agent reaches the gateway.
    private static func withGateway(_ body: ([String]) async throws -> Void) async throws {
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            // The agent asks the gateway for the URL of the courier listener.
            try await body(["--gateway", service])
        }
    }

    /// Runs `body` while an agent runs, with the URL of the agent's control API.
    private static func withAgent<Value: Sendable>(
        _ files: Files,
        _ urls: [String],
        _ body: (String) async throws -> Value
    ) async throws -> Value {
        let options = ["--device", files.path("ipad.yaml"), "--data", files.path("device")]
        return try await Program.whileRunning("waypost-agent", options + urls) { agent in
            try await body(try await agent.value(after: "control"))
        }.value
    }

    private static func app(_ files: Files, _ control: String) -> [String] {
        ["app", "run", "--agent", control, "--app", files.path("clowntown.yaml"), "--format", "jsonl"]
    }

    /// Delivers a notification about Crusty and opens it; returns the selected scene and the decision.
    private static func open(_ id: String, _ control: String) async throws -> OpenedScene {
        let notification =
            #"{"sequence":1,"id":"\#(id)","token":"00","topic":"com.example.clowntown","pushType":"alert","priority":10,"#
            + #""payload":{"aps":{"target-content-id":"\#(crusty)"}}}"#
        let event = #"{"type":"notificationDelivered","notification":\#(notification)}"#
        let device = "\(control)/v1/devices/iPad"
        _ = try await Program.run("curl", ["--silent", "--fail", "--data", event, "\(device)/events"])
        let opened = try await Program.run(
            "curl",
            ["--silent", "--request", "POST", "\(device)/notifications/\(id)/open"]
        )
        return try JSONDecoder().decode(OpenedScene.self, from: Data(opened.output.utf8))
    }

    /// Reads the app's output up to a line that contains `text`, and returns that line.
    private static func line(with text: String, of app: RunningProgram) async throws -> String {
        while let line = try await app.nextLine() {
            if line.contains(text) { return line }
        }
        throw RunningProgram.NeverPrinted(string: text, printedLines: app.printedLines)
    }

    @Test(.proves("T5", "T6")) func sameSceneOpensAfterAKilledAppAndARestartedAgent() async throws {
        let files = try Files()
        defer { files.remove() }
        try await Self.withGateway { urls in
            let before = try await Self.withAgent(files, urls) { control in
                let result = try await Program.whileRunning("waypost", Self.app(files, control)) { app in
                    _ = try await Self.line(with: #""type":"attached""#, of: app)
                    app.send(SIGKILL)
                    while try await app.nextLine() != nil {}
                }
                #expect(result.status == 128 + SIGKILL)
                return try await Self.open("n1", control)
            }
            #expect(before.scene == "crusty")
            #expect(before.decision?.reason == .prefers)
            try await Self.withAgent(files, urls) { control in
                let after = try await Self.open("n2", control)
                #expect(after.scene == before.scene)
                #expect(after.decision?.explanation == before.decision?.explanation)
                #expect(after.decision?.trace.map(\.can) == before.decision?.trace.map(\.can))
                // Both activations wait for the app, which is launched now.
                _ = try await Program.whileRunning("waypost", Self.app(files, control)) { app in
                    let connected = try await Self.line(with: #""type":"sceneConnected""#, of: app)
                    #expect(connected.contains("n1") && connected.contains("n2"))
                    _ = try await Self.open("n3", control)
                    // The responses that connected the scene come again before that.
                    var activated = ""
                    while !activated.contains("n3") {
                        activated = try await Self.line(with: #""type":"sceneActivated""#, of: app)
                    }
                    #expect(activated.contains("userNotificationCenter(_:didReceive:withCompletionHandler:)"))
                }
            }
        }
    }

    @Test func tableFormatIsHumanReadable() async throws {
        let files = try Files()
        defer { files.remove() }
        try await Self.withGateway { urls in
            try await Self.withAgent(files, urls) { control in
                let app = Self.app(files, control).dropLast() + ["table"]
                let run = try await Program.whileRunning("waypost", Array(app)) { app in
                    _ = try await Self.line(with: "scene overview connects", of: app)
                    _ = try await Self.open("n1", control)
                    _ = try await Self.line(with: "connection option: notification n1", of: app)
                }
                #expect(run.status == 0, "\(run.lines)")
                #expect(run.lines.first == "attached: 0 highlights (denied)")
            }
        }
    }

    @Test func unreachableAgentAndInvalidAppFileAreReported() async throws {
        let files = try Files()
        defer { files.remove() }
        let unreachable = try await Program.run("waypost", Self.app(files, "http://127.0.0.1:1"))
        #expect(unreachable.status == 69)
        #expect(unreachable.errors.contains("cannot reach http://127.0.0.1:1"))
        try Data("bundleIdentifier: a\nscenes: []\nproces: {}".utf8)
            .write(to: files.folder.appending(path: "clowntown.yaml"))
        let unusable = try await Program.run("waypost", Self.app(files, "http://127.0.0.1:1"))
        #expect(unusable.status == 2)
        #expect(unusable.errors.contains("unknown key 'proces'; did you mean 'process'?"))
    }
}
