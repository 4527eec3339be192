import Foundation
import Testing
import WaypostSchema

/// The commands for notifications on a device, and an app whose process answers the system.
@Suite(.timeLimit(.minutes(5))) struct DeviceNotificationCommandTests {
    private static let device = """
        name: phone
        apps:
          - bundleIdentifier: com.example.bakery
            displayName: Bakery
            scenes: [{ persistentIdentifier: orders, state: foregroundActive }]
            notificationCategories:
              - identifier: ORDER
                actions: [{ identifier: REPLY, title: Reply, textInputButtonTitle: Send }]
        """

    private static let app = """
        bundleIdentifier: com.example.bakery
        scenes: []
        process:
          calls: { willPresent: { presentationOptions: [banner, list] } }
        """

    private static let payload =
        #"{"aps":{"alert":{"title":"Order","body":"It is ready"},"category":"ORDER","thread-id":"42"}}"#

    @Test func processAnswersAndAPersonActs() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bakery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [
            ("phone.yaml", Self.device), ("bakery.yaml", Self.app), ("payload.json", Self.payload),
        ] {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let file = { (name: String) in folder.appending(path: name).path }
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let options = ["--device", file("phone.yaml"), "--gateway", service]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let control = try await agent.value(after: "control")
                let agentOptions = ["--agent", control]
                let run = ["app", "run", "--app", file("bakery.yaml"), "--format", "table"] + agentOptions
                let app = try await Program.whileRunning("waypost", run) { process in
                    _ = try await process.value(after: "attached")
                    let send = ["send", "--gateway", service, "--to", "phone", "--topic", "com.example.bakery"]
                    let sent = try await Program.run(
                        "waypost",
                        send + ["--payload", file("payload.json"), "--wait", "60s"]
                    )
                    try #require(sent.status == 0, "\(sent.errors)")
                    _ = try await process.value(after: "call 1: willPresent")
                    try await Self.act(agentOptions)
                    // The process prints the second call after it has finished the first one.
                    let second = try await process.value(after: "call 2: didReceiveResponse")
                    #expect(second.hasSuffix("action REPLY, text 'Thanks'"))
                    try await Self.checkCommands(agentOptions)
                }
                #expect(app.status == 0)
            }
        }
    }

    private static func act(_ agentOptions: [String]) async throws {
        let action = ["device", "action", "last", "REPLY", "--text", "Thanks", "--format", "table"]
        let acted = try await Program.run("waypost", action + agentOptions)
        #expect(acted.output.contains("com.example.bakery is called: didReceiveResponse"), "\(acted.errors)")
        let refused = try await Program.run("waypost", ["device", "action", "last", "OTHER"] + agentOptions)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("its category 'ORDER' has 'REPLY'"), "\(refused.errors)")
    }

    private static func checkCommands(_ agentOptions: [String]) async throws {
        func waypost(_ arguments: String...) async throws -> String {
            let result = try await Program.run("waypost", ["device"] + arguments + agentOptions)
            #expect(result.status == 0, "\(arguments): \(result.errors)")
            return result.output
        }
        let explained = try await waypost("explain-notification", "last", "--format", "table")
        #expect(explained.hasPrefix("shown at once, no sound: it appears at once\n"), "\(explained)")
        #expect(explained.contains("com.example.bakery is in the foreground, and presents banner, list"))
        let center = try await waypost("notification-center", "--format", "table")
        #expect(center.contains("com.example.bakery · 42") && center.contains("Order"))
        let banner = try await waypost("draw", "last", "--dark")
        #expect(banner.hasPrefix("<svg") && banner.contains("It is ready"))
        #expect(try await waypost("draw").contains("Order"))
        let activities = try await waypost("live-activities", "--format", "json")
        #expect(try JSONDecoder().decode([LiveActivity].self, from: Data(activities.utf8)).isEmpty)
    }
}
