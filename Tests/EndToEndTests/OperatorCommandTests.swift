import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The commands with which an operator looks after a gateway, with a running one.
@Suite(.timeLimit(.minutes(10)), .serialized) struct OperatorCommandTests {
    @Test func devicesAreFoundByNameAndByTheStartOfTheirTokens() async throws {
        try await Self.whileGatewayRuns { service in
            let created = try await Self.waypost(
                service,
                ["devices", "create", "--topic", "a.b", "--count", "2", "--name", "Pad"]
            )
            let tokens = try created.output.split(separator: "\n").map { line in
                try #require(JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))["token"]?.string)
            }
            #expect(tokens.count == 2)
            let own = try await Self.waypost(
                service,
                ["devices", "create", "--topic", "a.b", "--token", "00ffee", "--name", "Own"]
            )
            #expect(own.status == 0, "\(own.errors)")
            for name in ["Own", "00ff", "00FFEE", "00f…"] {
                let shown = try await Self.waypost(service, "devices", "show", name)
                #expect(shown.output.contains(#""token":"00ffee""#), "\(name): \(shown.errors)")
            }
            let unknown = try await Self.waypost(service, "devices", "show", "Owm")
            #expect(unknown.status == 1)
            #expect(unknown.errors.contains("did you mean 'Own'?"))
            let low = try await Self.waypost(service, "devices", "power", "Pad 1", "low")
            #expect(low.output.contains(#""powerConstrained":true"#))
            #expect(try await Self.waypost(service, "devices", "unregister", "Pad 1", "Pad 2").status == 0)
            let listed = try await Self.waypost(service, "devices", "list", "--format", "table", "--topic", "a.b")
            #expect(listed.output.split(separator: "\n").count == 5)
            #expect(listed.output.contains("unregistered"))
        }
    }

    @Test func severalDevicesWithANameAreNamed() async throws {
        try await Self.whileGatewayRuns { service in
            for _ in 0..<2 {
                _ = try await Self.waypost(service, "devices", "create", "--topic", "a.b", "--name", "Pad")
            }
            let shown = try await Self.waypost(service, "devices", "show", "Pad")
            #expect(shown.status == 2)
            #expect(shown.errors.contains("'Pad' could be 2 devices: Pad ("))
        }
    }

    @Test func notificationIsFollowedThroughItsBatch() async throws {
        try await Self.whileGatewayRuns { service in
            _ = try await Self.waypost(service, "devices", "create", "--topic", "a.b", "--name", "Pad")
            let command = ["send", "--to", "Pad", "--topic", "a.b", "--title", "x", "--key", "k"]
            let (sent, again) = (try await Self.waypost(service, command), try await Self.waypost(service, command))
            #expect(sent.output == again.output)
            let receipt = try JSONDecoder().decode(BatchReceipt.self, from: Data(sent.output.utf8))
            let shown = try await Self.waypost(service, "batches", "show", receipt.id.rawValue)
            let status = try JSONDecoder().decode(BatchStatus.self, from: Data(shown.output.utf8))
            #expect(status.states == [.stored: 1])
            let waited = try await Self.waypost(service, "batches", "wait", receipt.id.rawValue, "--timeout", "0")
            #expect(waited.status == 1)
            #expect(waited.errors.contains("not every notification has ended"))
            let namespaces = try await Self.waypost(service, "namespaces", "list")
            #expect(namespaces.output.contains(#""devices":1,"name":"default""#))
            #expect(try await Self.waypost(service, "namespaces", "reset", "default").status == 64)
            #expect(try await Self.waypost(service, "namespaces", "reset", "default", "--yes").status == 0)
            #expect(try await Self.waypost(service, "namespaces", "list").output.isEmpty)
        }
    }

    @Test func gatewayIsWatched() async throws {
        try await Self.whileGatewayRuns { service in
            let health = try await Self.waypost(service, "health", "--format", "table")
            #expect(health.status == 0)
            #expect(health.output.hasPrefix("ok: store memory"))
            let top = try await Self.waypost(service, "top", "--count", "1", "--interval", "100ms")
            #expect(top.output.hasPrefix(#"{"accepted":0,"#))
            #expect(try await Self.waypost(service, "metrics", "waypost_gateways").output.contains(#""value":1"#))
            #expect(try await Self.waypost(service, "clock").output.contains(#""clock":"system""#))
            #expect(try await Self.waypost(service, "clock", "advance", "5m").status == 2)
            _ = try await Self.waypost(service, "apps", "storage", "a.b", "apns")
            #expect(try await Self.waypost(service, "apps", "list").output.contains(#""storage":"apns","topic":"a.b""#))
        }
    }

    @Test func channelIsCreatedSubscribedToAndDeleted() async throws {
        let gateway = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let provider = try await gateway.value(after: "provider")
            func channels(_ arguments: String..., input: String = "") async throws -> Program.Ended {
                try await Program.run("waypost", ["channels"] + arguments + ["--provider", provider], input: input)
            }
            let created = try await channels("create", "a.b", "--keep", "newest")
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(created.output.utf8))
            let channel = try #require(value["channel"]?.string)
            #expect(try await channels("list", "a.b").output == created.output)
            _ = try await Self.waypost(
                service,
                ["devices", "create", "--name", "Pad", "--topic", "a.b.push-type.liveactivity"]
            )
            #expect(try await Self.waypost(service, "channels", "subscribe", "Pad", channel).status == 0)
            let payload = #"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#
            #expect(try await channels("send", "a.b", channel, input: payload).errors.contains("1 device"))
            #expect(try await channels("delete", "a.b", channel).status == 0)
            let gone = try await channels("show", "a.b", channel)
            #expect(gone.status == 2)
            #expect(gone.errors.contains("ChannelNotRegistered"))
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    @Test func gatewayThatDoesNotAnswerIsOneClearLine() async throws {
        let ended = try await Self.waypost("http://127.0.0.1:1", "devices", "list")
        #expect(ended.status == 1)
        #expect(ended.errors.split(separator: "\n").count == 1)
        #expect(ended.errors.contains("start a gateway with 'waypost up'"))
    }

    private static func whileGatewayRuns(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let gateway = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            try await body(try await gateway.value(after: "service"))
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    private static func waypost(_ service: String, _ arguments: String...) async throws -> Program.Ended {
        try await waypost(service, arguments)
    }

    private static func waypost(_ service: String, _ arguments: [String]) async throws -> Program.Ended {
        try await Program.run("waypost", arguments + ["--gateway", service])
    }
}
