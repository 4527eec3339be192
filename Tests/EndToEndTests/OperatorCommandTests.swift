import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The commands with which an operator looks after a gateway, with a running one.
@Suite(.timeLimit(.minutes(5)), .serialized) struct OperatorCommandTests {
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
                ["tokens", "create", "--topic", "a.b", "--token", "00ffee00ffee", "--name", "Own"]
            )
            #expect(own.status == 0, "\(own.errors)")
            // Long enough to be the start of no generated token.
            for name in ["Own", "00ffee0", "00FFEE00", "00ffee00f…"] {
                let shown = try await Self.waypost(service, "tokens", "show", name)
                #expect(shown.output.contains(#""token":"00ffee00ffee""#), "\(name): \(shown.errors)")
            }
            let unknown = try await Self.waypost(service, "tokens", "show", "Owm")
            #expect(unknown.status == 1)
            #expect(unknown.errors.contains("did you mean 'Own'?"))
            let low = try await Self.waypost(service, "tokens", "power", "Pad 1", "low")
            #expect(low.output.contains(#""powerConstrained":true"#))
            #expect(try await Self.waypost(service, "tokens", "unregister", "Pad 1", "Pad 2").status == 0)
            let listed = try await Self.waypost(service, "tokens", "list", "--format", "table", "--topic", "a.b")
            #expect(listed.output.split(separator: "\n").count == 3)
            #expect(listed.errors.contains("2 devices whose tokens are not active: not shown"))
            let all = try await Self.waypost(service, "tokens", "list", "--format", "table", "--all")
            #expect(all.output.split(separator: "\n").count == 5)
            #expect(all.output.contains("unregistered"))
        }
    }

    @Test func severalDevicesWithANameAreNamed() async throws {
        try await Self.whileGatewayRuns { service in
            for _ in 0..<2 {
                _ = try await Self.waypost(service, "tokens", "create", "--topic", "a.b", "--name", "Pad")
            }
            let shown = try await Self.waypost(service, "tokens", "show", "Pad")
            #expect(shown.status == 2)
            #expect(shown.errors.contains("'Pad' could be 2 tokens: Pad ("))
        }
    }

    @Test func notificationIsFollowedThroughItsBatch() async throws {
        try await Self.whileGatewayRuns { service in
            _ = try await Self.waypost(service, "tokens", "create", "--topic", "a.b", "--name", "Pad")
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
            _ = try await Self.waypost(service, "storage", "set", "a.b", "apns")
            #expect(
                try await Self.waypost(service, "storage", "list").output.contains(#""storage":"apns","topic":"a.b""#)
            )
        }
    }

    @Test func channelIsCreatedSubscribedToAndDeleted() async throws {
        let gateway = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let provider = try await gateway.value(after: "provider")
            func channels(_ arguments: String..., input: String = "") async throws -> Program.Result {
                try await Program.run("waypost", ["channels"] + arguments + ["--provider", provider], input: input)
            }
            let created = try await channels("create", "a.b", "--keep", "newest")
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(created.output.utf8))
            let channel = try #require(value["channel"]?.string)
            #expect(try await channels("list", "a.b").output == created.output)
            _ = try await Self.waypost(
                service,
                ["tokens", "create", "--name", "Pad", "--topic", "a.b.push-type.liveactivity"]
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

    @Test func inboxIsListedAndPurged() async throws {
        try await Self.whileGatewayRuns { service in
            _ = try await Self.waypost(service, "tokens", "create", "--topic", "a.b", "--name", "Pad")
            for title in ["猫 eins", "zwei"] {
                _ = try await Self.waypost(service, "send", "--to", "Pad", "--topic", "a.b", "--title", title)
            }
            let table = try await Self.waypost(service, "inbox", "list", "Pad", "--format", "table")
            #expect(table.output.contains("猫 eins"))
            let lines = try await Self.waypost(service, "inbox", "list", "Pad").output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains(#""state":"stored""#) })
            let other = try await Self.waypost(service, "inbox", "purge", "Pad", "--topic", "c.d")
            #expect(other.output == #"{"removed":0}"# + "\n")
            let purged = try await Self.waypost(service, "inbox", "purge", "Pad", "--format", "table")
            #expect(purged.output == "removed 2 notifications\n")
            let empty = try await Self.waypost(service, "inbox", "list", "Pad", "--format", "table")
            #expect(empty.output == "The inbox is empty.\n")
        }
    }

    @Test func traceIsFoundInTheLog() async throws {
        try await Self.whileGatewayRuns { service in
            let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            _ = try await Self.waypost(service, "tokens", "create", "--topic", "a.b", "--name", "Pad")
            let send = ["send", "--to", "Pad", "--topic", "a.b", "--title"]
            _ = try await Self.waypost(service, send + ["x"])
            _ = try await Self.waypost(service, send + ["y", "--traceparent", parent])
            let found = try await Self.waypost(
                service,
                "notifications",
                "list",
                "--trace",
                "4bf92f3577b34da6a3ce929d0e0e4736"
            )
            #expect(found.output.split(separator: "\n").count == 1)
            #expect(found.output.contains(parent))
            let wrong = try await Self.waypost(service, send + ["z", "--traceparent", "x"])
            #expect(wrong.status == 64)
            #expect(wrong.errors.contains("is not a traceparent such as 00-"))
        }
    }

    @Test func exportedNotificationIsSentAgain() async throws {
        try await Self.whileGatewayRuns { service in
            _ = try await Self.waypost(
                service,
                "devices",
                "create",
                "--topic",
                "a.b",
                "--name",
                "Pad",
                "--token",
                "00ff"
            )
            let send = ["send", "--to", "Pad", "--topic", "a.b", "--title", "It's", "--id", Self.id]
            _ = try await Self.waypost(service, send)
            let apns = try await Self.waypost(service, "notifications", "show", Self.id, "--apns")
            let folder = try ScratchFolder()
            let file = try folder.write(apns.output.utf8, to: "again.apns")
            #expect(try await Self.waypost(service, "send", file, "--to", "Pad").status == 0)
            let inbox = try await Self.waypost(service, "inbox", "list", "Pad").output.split(separator: "\n")
            #expect(inbox.count { $0.contains(#""payload":{"aps":{"alert":{"title":"It's"}}}"#) } == 2)
            let curl = try await Self.waypost(service, "notifications", "show", Self.id, "--curl")
            #expect(curl.output.contains(#"--data-raw '{"aps":{"alert":{"title":"It'\''s"}}}'"#))
            _ = try await Self.waypost(service, "inbox", "purge", "Pad")
            let gone = try await Self.waypost(
                service,
                "notifications",
                "show",
                Self.id,
                "--curl",
                "--agent",
                "http://127.0.0.1:1"
            )
            #expect(gone.status == 1)
            #expect(gone.errors.contains("the payload is not known any more: the notification is dropped"))
        }
    }

    private static let id = "11111111-2222-4333-8444-555555555555"

    @Test func backupIsRestored() async throws {
        let folder = try ScratchFolder()
        let (file, data) = (folder.path(of: "backup"), folder.path(of: "restored"))
        try await Self.whileGatewayRuns { service in
            _ = try await Self.waypost(service, "tokens", "create", "--topic", "a.b", "--name", "Pad")
            let saved = try await Self.waypost(service, "backup", file, "--format", "table")
            #expect(saved.output.hasPrefix("saved \(file), "), "\(saved.errors)")
            let again = try await Self.waypost(service, "backup", file)
            #expect(again.status == 2)
            #expect(again.errors.contains("exists already"))
        }
        let restored = try await Program.run("waypost", ["restore", file, "--data", data])
        #expect(restored.status == 0, "\(restored.errors)")
        let second = try await Program.run("waypost", ["restore", file, "--data", data])
        #expect(second.status == 2)
        #expect(second.errors == "waypost: \(data) contains a store already; choose another folder, or move it away\n")
        // As an earlier gateway saved it.
        let bytes = try Data(contentsOf: URL(filePath: file))
        let earlier = try folder.write(bytes.dropLast(64), to: "earlier")
        let warned = try await Program.run("waypost", ["restore", earlier, "--data", folder.path(of: "y")])
        #expect(warned.status == 0)
        let warning = "warning: \(earlier) has no digest, as backups of earlier gateways; changed bytes in it are not"
        #expect(warned.errors == warning + " noticed\n")
        let foreign = try await Program.run(
            "waypost",
            ["restore", "/proc/self/status", "--data", folder.path(of: "x")]
        )
        #expect(foreign.status == 2)
        let options = PipelineTests.freePorts + ["--store", "sqlite", "--data", data]
        let gateway = try await Program.whileRunning("waypost-gateway", options) { gateway in
            let service = try await gateway.value(after: "service")
            #expect(try await Self.waypost(service, "tokens", "show", "Pad").status == 0)
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    @Test func streamsAreListedAndEnded() async throws {
        try await Self.whileGatewayRuns { service in
            _ = try await Self.waypost(service, "tokens", "create", "--topic", "a.b", "--name", "Pad")
            let none = try await Self.waypost(service, "streams", "list", "--format", "table")
            #expect(none.output == "There are no such streams.\n")
            let missing = try await Self.waypost(service, "streams", "disconnect", "Pad")
            #expect(missing.status == 1)
            #expect(missing.errors.contains("'Pad' has no stream at this gateway"))
            #expect(try await Self.waypost(service, "streams", "disconnect").status == 64)
        }
    }

    @Test func manPagesAreWritten() async throws {
        let folder = try ScratchFolder()
        let result = try await Program.run("waypost", ["manual", folder.path(of: "man1"), "--format", "table"])
        #expect(result.status == 0)
        let page = try String(contentsOfFile: folder.path(of: "man1/waypost-up.1"), encoding: .utf8)
        #expect(page.hasPrefix(".TH \"WAYPOST\\-UP\" 1"))
        for program in ["gateway", "agent"] {
            let page = try String(contentsOfFile: folder.path(of: "man1/waypost-\(program).1"), encoding: .utf8)
            #expect(page.contains("\\-\\-ready\\-file <file>"), "\(page)")
        }
    }

    @Test func wrongListenerIsAQuestion() async throws {
        let gateway = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            for listener in ["courier", "provider"] {
                let url = try await gateway.value(after: listener)
                let result = try await Program.run("waypost", ["tokens", "list", "--gateway", url])
                #expect(result.status == 69)
                #expect(result.errors.contains("is it the service listener of a gateway?"), "\(result.errors)")
            }
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    @Test func gatewayThatDoesNotAnswerIsOneClearLine() async throws {
        let result = try await Self.waypost("http://127.0.0.1:1", "tokens", "list")
        #expect(result.status == 69)
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.errors.contains("start a gateway with 'waypost up'"))
    }

    private static func whileGatewayRuns(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let gateway = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            try await body(try await gateway.value(after: "service"))
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    private static func waypost(_ service: String, _ arguments: String...) async throws -> Program.Result {
        try await waypost(service, arguments)
    }

    private static func waypost(_ service: String, _ arguments: [String]) async throws -> Program.Result {
        try await Program.run("waypost", arguments + ["--gateway", service])
    }
}
