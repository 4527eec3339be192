import Foundation
import Subprocess
import Testing
import WaypostSchema
import WaypostTestSupport

/// `waypost device tokens`, and what providers get for the tokens that it shows.
@Suite(.timeLimit(.minutes(5))) struct DeviceTokensCommandTests {
    private static let device = """
        name: phone
        apps:
          - bundleIdentifier: com.example.bakery
            backgroundModes: [voip]
            tokens: [app, voip]
            scenes: []
        """

    private static let topics = ["com.example.bakery", "com.example.bakery.voip"]

    @Test func eachTokenIsForItsTopicUntilTheAppIsRemoved() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString).yaml")
        try Data(Self.device.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let provider = try await gateway.value(after: "provider")
            let options = ["--device", file.path, "--gateway", service]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let control = try await agent.value(after: "control")
                let tokens = try await Self.assignedTokens(control)
                #expect(tokens.map(\.purpose.kind) == [.app, .voip])
                let table = try await Self.run(control, "tokens", "--format", "table")
                for token in tokens { #expect(table.contains(token.token?.rawValue ?? "no token")) }
                for (token, ownTopic) in zip(tokens, Self.topics) {
                    for topic in Self.topics {
                        let answer = try await Self.answer(of: provider, to: token, topic)
                        let refusal = #"{"reason":"DeviceTokenNotForTopic"}400"#
                        #expect(answer == (topic == ownTopic ? "200" : refusal))
                    }
                }
                _ = try await Self.run(control, "event", #"{"type":"appRemoved","app":"com.example.bakery"}"#)
                for (token, topic) in zip(tokens, Self.topics) {
                    let answer = try await Self.answer(of: provider, to: token, topic)
                    #expect(answer.contains("Unregistered") && answer.contains("timestamp"), "\(answer)")
                    #expect(answer.hasSuffix("410"))
                }
                #expect(try await Self.run(control, "tokens", "--format", "table").contains("No app has a token"))
            }
        }
    }

    @Test func nameOfADeviceMeansTheTokensOfItsApps() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString).yaml")
        try Data(Self.device.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let options = ["--device", file.path, "--gateway", service]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let control = try await agent.value(after: "control")
                let tokens = try await Self.assignedTokens(control).compactMap(\.token)
                for (index, topic) in Self.topics.enumerated() {
                    let pushType = ["alert", "voip"][index]
                    let send = ["send", "--to", "phone", "--topic", topic, "--title", "Bread \(index)", "--push-type"]
                    let sent = try await Self.call(
                        send + [pushType, "--wait", "60s"],
                        at: service,
                        agent: control
                    )
                    #expect(sent.status == 0, "\(sent.errors)")
                    let name = "phone/\(["app", "voip"][index])/com.example.bakery"
                    #expect(sent.errors.contains("note: the notification goes to \(name) ("), "\(sent.errors)")
                }
                let list = try await Self.call(
                    ["notifications", "list", "--device", "phone", "--format", "jsonl"],
                    at: service,
                    agent: control
                )
                for token in tokens { #expect(list.output.contains(token.rawValue)) }
                try await Self.checkAirplaneMode(service, control)
            }
        }
    }

    /// Sends to the device in Airplane Mode, and empties its inbox.
    private static func checkAirplaneMode(_ service: String, _ control: String) async throws {
        _ = try await run(control, "airplane", "on")
        try await waitUntil("no device is connected") {
            let list = try await call(
                ["tokens", "list", "--connected", "--format", "jsonl"],
                at: service,
                agent: control
            )
            return list.status == 0 && list.output.isEmpty
        }
        let send = ["send", "--to", "phone", "--topic", "com.example.bakery", "--title", "Late", "--wait", "1s"]
        let sent = try await call(send, at: service, agent: control)
        #expect(sent.status == 1)
        #expect(sent.errors.contains("phone is in Airplane Mode"), "\(sent.errors)")
        let inbox = try await call(["inbox", "list", "phone", "--format", "jsonl"], at: service, agent: control)
        #expect(inbox.output.contains("Late"), "\(inbox.errors)")
        let purge = try await call(["inbox", "purge", "phone", "--format", "table"], at: service, agent: control)
        #expect(purge.output.contains("removed 1 notification"), "\(purge.errors)")
    }

    /// Runs a command that calls the gateway, and possibly the agent.
    private static func call(
        _ arguments: [String],
        at service: String,
        agent control: String
    ) async throws -> Program.Result {
        let environment: [Environment.Key: String?] = ["WAYPOST_AGENT": control]
        return try await Program.run("waypost", arguments + ["--gateway", service], environment: environment)
    }

    private static func run(_ control: String, _ arguments: String...) async throws -> String {
        let result = try await Program.run("waypost", ["device"] + arguments + ["--agent", control])
        #expect(result.status == 0, "\(arguments): \(result.errors)")
        return result.output
    }

    /// Returns the tokens of the app, once the gateway has assigned them.
    private static func assignedTokens(_ control: String) async throws -> [AppToken] {
        var tokens: [AppToken] = []
        try await waitUntil("the gateway assigned the tokens") {
            let lines = try await run(control, "tokens", "--format", "jsonl").split(separator: "\n")
            tokens = try lines.map { try JSONDecoder().decode(AppToken.self, from: Data($0.utf8)) }
            return tokens.count == 2 && tokens.allSatisfy { $0.token != nil }
        }
        return tokens
    }

    /// Sends a notification as to APNs, and returns the body and the status of the answer.
    private static func answer(of provider: String, to token: AppToken, _ topic: String) async throws -> String {
        let pushType = topic.hasSuffix(".voip") ? "voip" : "alert"
        let arguments = [
            "--silent", "--http2-prior-knowledge", "--write-out", "%{http_code}",
            "--header", "apns-topic: \(topic)", "--header", "apns-push-type: \(pushType)",
            "--data", #"{"aps":{"alert":"Ready"}}"#, "\(provider)/3/device/\(token.token?.rawValue ?? "")",
        ]
        return try await Program.run("curl", arguments).output
    }
}
