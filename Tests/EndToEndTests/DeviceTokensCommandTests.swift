import Foundation
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
