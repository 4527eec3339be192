import Foundation
import LocalProcesses
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite(.timeLimit(.minutes(5)), .serialized) struct PipelineTests {
    static let id = "c1000000-0000-4000-8000-00000000000a"

    static let deviceFile = """
        name: iPad
        apps:
          - bundleIdentifier: com.example.clowntown
            scenes:
              - persistentIdentifier: overview
                state: foregroundActive
              - persistentIdentifier: crusty-detail
                activationConditions:
                  canActivateForTargetContentIdentifierPredicate: SELF == "https://clowntown.example/clowns/crusty"
                  prefersToActivateForTargetContentIdentifierPredicate: SELF == "https://clowntown.example/clowns/crusty"
        """

    /// Calls `body` with a folder that is deleted afterwards.
    private static func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "waypost-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private static func curl(_ arguments: [String], input: String = "") async throws -> Program.Result {
        try await Program.run("curl", ["--silent", "--show-error", "--max-time", "60"] + arguments, input: input)
    }

    private static func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// Returns a device's status as soon as `isWanted` accepts it.
    private static func device(
        at control: String,
        until isWanted: (DeviceStatus) -> Bool
    ) async throws -> DeviceStatus {
        var status: DeviceStatus?
        try await waitUntil("the device has the expected status") {
            status = try decode(try await curl(["\(control)/v1/devices"]).output, as: [DeviceStatus].self).first
            return status.map(isWanted) ?? false
        }
        return try #require(status)
    }

    @Test(.proves("T32", "T33")) func notificationGoesFromTheProviderThroughTheGatewayToTheDevice() async throws {
        try await Self.withFolder { folder in
            let file = folder.appending(path: "ipad.yaml")
            try Data(Self.deviceFile.utf8).write(to: file)
            let ready = folder.appending(path: "gateway.json").path
            let arguments = Self.freePorts + ["--ready-file", ready]
            let gateway = try await Program.whileRunning("waypost-gateway", arguments) { gateway in
                let service = try await gateway.value(after: "service")
                let courier = try await gateway.value(after: "courier")
                let urls = ["--gateway", service, "--courier", courier]
                let agent = try await Program.whileRunning("waypost-agent", ["--device", file.path] + urls) { agent in
                    let control = try await agent.value(after: "control")
                    let token = try #require(try await Self.device(at: control) { $0.isConnected }.token)
                    let sent = try await Program.run(
                        "waypost",
                        [
                            "send", "--ready-file", ready, "--token", token.rawValue, "--topic",
                            "com.example.clowntown",
                            "--title", "Crusty is near", "--id", Self.id, "--wait", "60",
                            "--target-content-id", "https://clowntown.example/clowns/crusty",
                        ]
                    )
                    #expect(sent.status == 0, "\(sent.errors)")
                    #expect(sent.errors.contains("1 acknowledged"))
                    let url = "\(control)/v1/devices/iPad/notifications/\(Self.id)/open"
                    let opened = try Self.decode(
                        try await Self.curl(["--request", "POST", url]).output,
                        as: OpenedScene.self
                    )
                    #expect(opened.scene == "crusty-detail")
                    #expect(opened.decision?.reason == .prefers)
                }
                #expect(agent.status == 0, "\(agent.lines)")
            }
            #expect(gateway.status == 0, "\(gateway.lines)")
        }
    }

    @Test func compressedBatchFromCurlIsAcknowledgedInTheLog() async throws {
        try await Self.withFolder { folder in
            let file = folder.appending(path: "ipad.yaml")
            try Data(Self.deviceFile.utf8).write(to: file)
            let data = folder.appending(path: "data").path
            let arguments = [
                "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--data",
                data,
            ]
            let gateway = try await Program.whileRunning("waypost-gateway", arguments) { gateway in
                let service = try await gateway.value(after: "service")
                let courier = try await gateway.value(after: "courier")
                let urls = ["--gateway", service, "--courier", courier]
                let agent = try await Program.whileRunning("waypost-agent", ["--device", file.path] + urls) { agent in
                    let control = try await agent.value(after: "control")
                    let token = try #require(try await Self.device(at: control) { $0.isConnected }.token)
                    let line = #"{"token":"\#(token)","topic":"com.example.clowntown","id":"\#(Self.id)","payload":{}}"#
                    let script =
                        "printf '%s\\n' '\(line)' | gzip | curl --silent --data-binary @- "
                        + "--header 'Content-Encoding: gzip' \(service)/v1/batches"
                    let receipt = try Self.decode(
                        try await Program.run("sh", ["-c", script]).output,
                        as: BatchReceipt.self
                    )
                    #expect(receipt.accepted == 1 && receipt.durability == .fsync)
                    let url = "\(service)/v1/notifications/\(Self.id)?wait=acknowledged&timeout=60s"
                    let record = try Self.decode(try await Self.curl([url]).output, as: NotificationRecord.self)
                    #expect(record.state == .acknowledged)
                    #expect(record.history.map(\.state) == [.accepted, .stored, .sent, .acknowledged])
                    #expect(record.batch == receipt.id && record.attempts == 1)
                }
                #expect(agent.status == 0, "\(agent.lines)")
            }
            #expect(gateway.status == 0, "\(gateway.lines)")
        }
    }

    @Test func stoppedGatewayEndsTheStreamOfCurl() async throws {
        let gateway = try await Program.whileRunning("waypost-gateway", Self.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let courier = try await gateway.value(after: "courier")
            let registration = #"{"name":"iPad","topics":["com.example.clowntown"]}"#
            let device = try Self.decode(
                try await Self.curl(["--data", registration, "\(service)/v1/devices"]).output,
                as: DeviceCredential.self
            )
            let line =
                #"{"token":"\#(device.token)","topic":"com.example.clowntown","payload":{"aps":{"alert":"Honk"}}}"#
            let zipped =
                "printf '%s\\n' '\(line)' | gzip | curl --silent --data-binary @- "
                + "--header 'Content-Encoding: gzip' \(service)/v1/batches"
            let receipt = try Self.decode(
                try await Program.run("sh", ["-c", zipped]).output,
                as: BatchReceipt.self
            )
            #expect(receipt.accepted == 1)
            let authorization = "Authorization: Bearer \(device.secret.rawValue)"
            async let stream = Self.curl(["--no-buffer", "--header", authorization, "\(courier)/v1/events"])
            // An acknowledgement proves that the notification was sent. Without the shutdown, the stream would never
            // end.
            try await waitUntil("the notification was sent") {
                let answer = try await Self.curl([
                    "--header", authorization, "--data", #"{"upTo":1}"#, "\(courier)/v1/acks",
                ])
                return try Self.decode(answer.output, as: AcknowledgementReceipt.self).acknowledged > 0
            }
            gateway.send(SIGTERM)
            let watched = try await stream
            #expect(watched.status == 0, "\(watched.errors)")
            #expect(watched.output.contains("event: notification\nid: 1\ndata: {\"sequence\":1,"))
        }
        #expect(gateway.status == 0)
    }

    @Test func clientThatExpects100ContinueReceivesIt() async throws {
        try await Self.withFolder { folder in
            let body = folder.appending(path: "body.ndjson")
            try Data(String(repeating: "{}\n", count: 1_000).utf8).write(to: body)
            let gateway = try await Program.whileRunning("waypost-gateway", Self.freePorts) { gateway in
                let service = try await gateway.value(after: "service")
                // Without the response 100, curl would wait longer than its time limit.
                let sent = try await Self.curl([
                    "--expect100-timeout", "600", "--header", "Expect: 100-continue", "--data-binary", "@\(body.path)",
                    "\(service)/v1/batches",
                ])
                #expect(sent.status == 0, "\(sent.errors)")
                #expect(try Self.decode(sent.output, as: BatchReceipt.self).rejected == 1_000)
            }
            #expect(gateway.status == 0)
        }
    }

    @Test(arguments: ["service POST /v1/batches", "courier POST /v1/acks"])
    func unfinishedRequestDoesNotDelayShutdown(_ request: String) async throws {
        let words = request.split(separator: " ")
        let gateway = try await Program.whileRunning("waypost-gateway", Self.freePorts) { gateway in
            let ports = [
                "service": try await gateway.value(after: "service"),
                "courier": try await gateway.value(after: "courier"),
            ]
            let port = Self.port(of: ports[String(words[0])] ?? "")
            let head = "\(words[1]) \(words[2]) HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 100\\r\\n\\r\\n{"
            // The client sends half of a request and then only reads, until the gateway closes the connection.
            let script = "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(head)' >&3; echo sent; cat <&3 || true"
            _ = try await Program.whileRunning("bash", ["-c", script]) { client in
                _ = try await client.value(after: "sent")
                gateway.send(SIGTERM)
                while try await client.nextLine() != nil {}
            }
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    @Test func clientThatDoesNotReadDoesNotDelayShutdown() async throws {
        let gateway = try await Program.whileRunning("waypost-gateway", Self.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let courier = try await gateway.value(after: "courier")
            let device = try Self.decode(
                try await Self.curl(["--data", #"{"name":"iPad","topics":["a"]}"#, "\(service)/v1/devices"]).output,
                as: DeviceCredential.self
            )
            let head =
                "GET /v1/events HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer \(device.secret.rawValue)\\r\\n\\r\\n"
            let script =
                "exec 3<>/dev/tcp/127.0.0.1/\(Self.port(of: courier)); printf '\(head)' >&3; read -r <&3; echo open; read -r"
            _ = try await Program.whileRunning("bash", ["-c", script]) { client in
                _ = try await client.value(after: "open")
                let item = #"{"token":"\#(device.token)","topic":"a","payload":{"pad":""#
                let line = item + String(repeating: "x", count: 4_000) + "\"}}\n"
                // More data than the buffers of a connection hold.
                let lines = String(repeating: line, count: 3_000)
                let sent = try await Program.run("waypost", ["send", "--gateway", service], input: lines)
                #expect(sent.status == 0, "\(sent.errors)")
                gateway.send(SIGTERM)
                while try await gateway.nextLine() != nil {}
                try await client.enter("")
            }
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    @Test func agentRegistersAgainAfterAGatewayRestart() async throws {
        try await Self.withFolder { folder in
            let file = folder.appending(path: "ipad.yaml")
            try Data(Self.deviceFile.utf8).write(to: file)
            let (service, courier) = (try ReservedPort(), try ReservedPort())
            let ports = [
                "--service", service.address, "--courier", courier.address, "--provider-plaintext", "127.0.0.1:0",
                "--store", "memory",
            ]
            defer { withExtendedLifetime((service, courier)) {} }
            let urls = ["--gateway", "http://\(service.address)", "--courier", "http://\(courier.address)"]
            let agent = try await Program.whileRunning("waypost-agent", ["--device", file.path] + urls) { agent in
                let first = try await Program.whileRunning("waypost-gateway", ports) { _ in
                    let control = try await agent.value(after: "control")
                    return (control, try await Self.device(at: control) { $0.isConnected }.token)
                }
                let (control, firstToken) = first.value
                _ = try await Self.device(at: control) { !$0.isConnected }
                _ = try await Program.whileRunning("waypost-gateway", ports) { _ in
                    let status = try await Self.device(at: control) { $0.isConnected }
                    #expect(status.token != firstToken)
                    let sent = try await Program.run(
                        "waypost",
                        [
                            "send", "--gateway", urls[1], "--token", try #require(status.token).rawValue,
                            "--topic", "com.example.clowntown", "--title", "Honk", "--wait", "60",
                        ]
                    )
                    #expect(sent.status == 0, "\(sent.errors)")
                }
            }
            #expect(agent.status == 0)
        }
    }

    static let freePorts = [
        "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--store",
        "memory",
    ]

    private static func port(of url: String) -> String {
        url.split(separator: ":").last.map(String.init) ?? ""
    }
}
