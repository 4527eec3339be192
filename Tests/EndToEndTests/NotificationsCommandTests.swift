import Foundation
import Testing
import WaypostSchema

/// `waypost notifications`, with a running gateway.
@Suite(.timeLimit(.minutes(5)), .serialized) struct NotificationsCommandTests {
    private static let id = "c1000000-0000-4000-8000-00000000000b"

    /// The URLs of a gateway, and a device that is registered with it.
    private struct Target: Sendable {
        let service: String
        let courier: String
        let device: DeviceCredential

        init(_ gateway: RunningProgram) async throws {
            service = try await gateway.value(after: "service")
            courier = try await gateway.value(after: "courier")
            let registration = #"{"name":"iPad","topics":["com.example.clowntown"]}"#
            let answer = try await Program.run("curl", ["--silent", "--data", registration, "\(service)/v1/devices"])
            device = try JSONDecoder().decode(DeviceCredential.self, from: Data(answer.output.utf8))
        }

        /// Sends a batch with gzip and curl: a notification, and an invalid line.
        func sendBatch() async throws {
            let line =
                #"{"token":"\#(device.token)","topic":"com.example.clowntown","id":"\#(id)","payload":{"aps":{}}}"#
            let script =
                "printf '%s\\nnone\\n' '\(line)' | gzip | curl --silent --data-binary @- "
                + "--header 'Content-Encoding: gzip' \(service)/v1/batches"
            let sent = try await Program.run("sh", ["-c", script])
            #expect(sent.output.contains(#""accepted":1"#))
        }

        /// Opens the device's stream and acknowledges the notification that was sent on it.
        func acknowledge() async throws {
            let curl = "curl --silent --max-time 60 --header 'Authorization: Bearer \(device.secret.rawValue)'"
            let script = """
                \(curl) \(courier)/v1/events > /dev/null & stream=$!
                until \(curl) --data '{"upTo":1}' \(courier)/v1/acks | grep --quiet '"acknowledged":1'; do :; done
                kill $stream
                """
            #expect(try await Program.run("sh", ["-c", script]).status == 0)
        }

        func notifications(_ arguments: String...) async throws -> Program.Result {
            try await Program.run("waypost", ["notifications"] + arguments + ["--gateway", service])
        }
    }

    private static func withTarget(_ body: (Target, RunningProgram) async throws -> Void) async throws {
        let arguments = [
            "--store", "memory", "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext",
            "127.0.0.1:0",
        ]
        let gateway = try await Program.whileRunning("waypost-gateway", arguments) { gateway in
            try await body(try await Target(gateway), gateway)
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    @Test func notificationIsObservedUntilItsAcknowledgement() async throws {
        try await Self.withTarget { target, _ in
            // The command waits before the notification is sent.
            async let waited = target.notifications("wait", Self.id, "--timeout", "60", "--format", "table")
            try await target.sendBatch()
            try await target.acknowledge()
            let answer = try await waited
            #expect(answer.status == 0, "\(answer.errors)")
            #expect(answer.output.hasPrefix("\(Self.id): acknowledged, sent once\n"))
            let shown = try await target.notifications("show", Self.id, "--format", "jsonl")
            let record = try JSONDecoder().decode(NotificationRecord.self, from: Data(shown.output.utf8))
            #expect(record.history.map(\.state) == [.accepted, .stored, .sent, .acknowledged])
            let listed = try await target.notifications(
                "list",
                "--state",
                "rejected",
                "--since",
                "1h",
                "--format",
                "jsonl"
            )
            #expect(listed.output.contains(#""reason":"BadRequestPayload""#))
            #expect(listed.output.filter { $0 == "\n" }.count == 1)
            let vain = try await target.notifications("wait", Self.id, "--for", "collapsed")
            #expect(vain.status == 1)
            #expect(vain.errors == "waypost: the notification was not collapsed: it is acknowledged\n")
        }
    }

    @Test(arguments: [
        (["show", "none"], 1, "no notification none in"),
        (["wait", "none", "--timeout", "0"], 1, "there is no notification"),
        (["list", "--since", "soon"], 2, "since: 'soon'"), (["list", "--format", "table"], 0, ""),
    ])
    func missingNotificationIsReported(_ arguments: [String], _ status: Int32, _ errors: String) async throws {
        try await Self.withTarget { target, _ in
            let place = ["--gateway", target.service]
            let result = try await Program.run("waypost", ["notifications"] + arguments + place)
            #expect(result.status == status)
            #expect(errors.isEmpty ? result.errors.isEmpty : result.errors.contains(errors), "\(result.errors)")
        }
    }

    @Test func followerPrintsNotificationsUntilItIsInterrupted() async throws {
        try await Self.withTarget { target, _ in
            let arguments = [
                "notifications", "follow", "--since", "1h", "--format", "jsonl", "--gateway", target.service,
            ]
            let followed = try await Program.whileRunning("waypost", arguments) { follower in
                try await target.sendBatch()
                let line = try #require(try await follower.nextLine())
                let record = try JSONDecoder().decode(NotificationRecord.self, from: Data(line.utf8))
                #expect(record.id?.rawValue == Self.id)
            }
            #expect(followed.status == 0, "\(followed.lines)")
        }
    }

    @Test func followerReportsTheShutdownOfTheGateway() async throws {
        try await Self.withTarget { target, gateway in
            try await target.sendBatch()
            let arguments = [
                "notifications", "follow", "--since", "1h", "--format", "table", "--gateway", target.service,
            ]
            let followed = try await Program.whileRunning("waypost", arguments) { follower in
                #expect(try await follower.nextLine()?.hasPrefix("Time  ") == true)
                #expect(try await follower.nextLine()?.contains(Self.id) == true)
                gateway.send(SIGTERM)
                while try await follower.nextLine() != nil {}
            }
            #expect(followed.status == 1)
            #expect(followed.lines.last?.hasSuffix("reconnect later (shuttingDown)") == true, "\(followed.lines)")
        }
    }
}
