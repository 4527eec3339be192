import AsyncHTTPClient
import GatewayTestSupport
import LocalService
import NIOCore
import NIOHPACK
import NIOHTTP1
import Testing
import TextBasics
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct ProviderTests {
    private static let topics: [Topic] = ["com.example.clowntown", "com.example.clowntown.voip"]

    // MARK: Every status and reason

    @Test(arguments: Engine.allCases) func everyAnswerMatchesAPNsOverHTTP2(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let tokens = try await Self.register(gateway)
            var client = try await ProviderClient(gateway)
            for example in ProviderCase.all {
                let headers = Self.headers(of: example, tokens)
                let answer = try await client.exchange(headers, body: example.body.map { Array($0.utf8) })
                Self.expect(answer, example)
                // If the gateway refuses a request before its whole body has arrived, RST_STREAM follows the answer.
                let frames = answer.frames.filter { !$0.hasPrefix("reset") }
                #expect(
                    frames == (example.reason == nil ? ["headers+end"] : ["headers", "data+end"]),
                    "\(example.name)"
                )
            }
            try await client.close()
        }
    }

    @Test func everyAnswerIsTheSameOverTLS() async throws {
        let certificate = try await TestCertificate("IP:127.0.0.1")
        try await RunningGateway.run(.withTLS(certificate)) { gateway in
            let tokens = try await Self.register(gateway)
            var client = try await ProviderClient(gateway, trusting: certificate.path)
            for example in ProviderCase.all {
                let headers = Self.headers(of: example, tokens)
                Self.expect(try await client.exchange(headers, body: example.body.map { Array($0.utf8) }), example)
            }
            try await client.close()
        }
    }

    @Test func tlsClientCanOmitALPN() async throws {
        let certificate = try await TestCertificate("IP:127.0.0.1")
        try await RunningGateway.run(.withTLS(certificate)) { gateway in
            let tokens = try await Self.register(gateway)
            var client = try await ProviderClient(gateway, trusting: certificate.path, naming: [])
            let headers = Self.headers(of: ProviderCase("", nil), tokens)
            #expect(try await client.exchange(headers, body: Array(#"{"aps":{}}"#.utf8)).status == 200)
            try await client.close()
        }
    }

    @Test func everyAnswerIsTheSameOverHTTP1() async throws {
        try await RunningGateway.run { gateway in
            let tokens = try await Self.register(gateway)
            let base = try #require(gateway.ready.providerPlaintext)
            for example in ProviderCase.all {
                var request = HTTPClientRequest(url: base + Self.path(of: example, tokens))
                request.method = HTTPMethod(rawValue: example.method)
                for (name, value) in example.fields { request.headers.add(name: name, value: value) }
                if let body = example.body { request.body = .bytes(ByteBuffer(string: body)) }
                let response = try await gateway.http.execute(request, timeout: .seconds(60))
                let body = try await response.body.collect(upTo: 1 << 16)
                let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { $1 }
                Self.expect(
                    ProviderExchange(status: Int(response.status.code), fields: fields, body: String(buffer: body)),
                    example
                )
            }
        }
    }

    private static func expect(_ answer: ProviderExchange, _ example: ProviderCase) {
        #expect(answer.status == example.status, "\(example.name)")
        if let sent = example.fields.first(where: { $0.0 == "apns-id" })?.1 {
            #expect(answer.fields["apns-id"] == sent, "\(example.name)")
        } else {
            #expect(answer.fields["apns-id"]?.isCanonicalUUID == true, "\(example.name)")
        }
        guard let reason = example.reason else {
            #expect(answer.body.isEmpty, "\(example.name)")
            #expect(answer.fields["apns-unique-id"]?.isCanonicalUUID == true, "\(example.name)")
            return
        }
        // The time since which a token is invalid is in milliseconds.
        let timestamp = example.status == 410 ? #","timestamp":1790000000000"# : ""
        #expect(answer.body == #"{"reason":"\#(reason)"\#(timestamp)}"#, "\(example.name)")
        #expect(answer.fields["content-type"] == "application/json", "\(example.name)")
        #expect(answer.fields["waypost-message"]?.isEmpty == false, "\(example.name)")
    }

    private static func register(_ gateway: RunningGateway) async throws -> [ProviderCase.Device: DeviceToken] {
        var tokens: [ProviderCase.Device: DeviceToken] = [:]
        for device in ProviderCase.Device.allCases {
            let token = try await gateway.device(topics: topics).token
            tokens[device] = token
            guard device != .active else { continue }
            let standing = ["standing": device == .expired ? "expired" : "unregistered"]
            #expect(try await gateway.service(.PUT, "/v1/devices/\(token)/standing", standing).status == 200)
        }
        return tokens
    }

    private static func path(of example: ProviderCase, _ tokens: [ProviderCase.Device: DeviceToken]) -> String {
        tokens.reduce(example.path) { $0.replacing("/" + $1.key.rawValue, with: "/\($1.value)") }
    }

    private static func headers(
        of example: ProviderCase,
        _ tokens: [ProviderCase.Device: DeviceToken]
    ) -> HPACKHeaders {
        HPACKHeaders(
            [
                (":method", example.method), (":scheme", "http"), (":path", path(of: example, tokens)),
                ("host", "localhost"),
            ] + example.fields
        )
    }

    // MARK: Accepted notifications

    @Test(arguments: Engine.allCases) func acceptedNotificationArrivesOnTheDeviceStream(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(in: "run")
            var stream = try await gateway.stream(device)
            var client = try await ProviderClient(gateway)
            let example = ProviderCase("", nil, with: [("apns-id", "123E4567-e89b-42d3-a456-426614174000")])
            let headers = Self.headers(of: example, [.active: device.token])
            let answer = try await client.exchange(headers, body: Array(#"{"aps":{ "alert":"Honk"}}"#.utf8))
            #expect(answer.status == 200)
            let delivered = try #require(try await stream.next(1).first)
            #expect(delivered.id.rawValue == "123E4567-e89b-42d3-a456-426614174000")
            #expect(delivered.token == device.token)
            // The log of the device's namespace finds it by its unique identifier, too.
            let uniqueID = try #require(answer.fields["apns-unique-id"])
            let record = try await gateway.notification(NotificationID(rawValue: uniqueID), in: "run")
            #expect(record.id == delivered.id)
            #expect(record.findings?.map(\.code) == [.missingExpiration, .uppercaseID])
            // Notes are in the log only.
            #expect(answer.fields["waypost-findings"] == nil)
            #expect(answer.fields["waypost-message"] == nil)
            try await client.close()
        }
    }

    @Test(arguments: Engine.allCases) func unusualNotificationIsAcceptedWithFindings(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            var client = try await ProviderClient(gateway)
            let example = ProviderCase("", nil, with: [("apns-push-type", nil)])
            let headers = Self.headers(of: example, [.active: device.token])
            let answer = try await client.exchange(headers, body: Array(#"{"aps":{"alert":1,"mine":2}}"#.utf8))
            #expect(answer.status == 200)
            #expect(answer.fields["waypost-findings"] == "missingPushType, wrongApsValue, unknownApsKey")
            let id = NotificationID(rawValue: try #require(answer.fields["apns-id"]))
            let record = try await gateway.notification(id)
            let codes: [NotificationFinding.Code] = [
                .missingPushType, .wrongApsValue, .unknownApsKey, .missingExpiration,
            ]
            #expect(record.findings?.map(\.code) == codes)
            let sentences = try #require(answer.fields["waypost-message"])
            #expect(sentences.hasPrefix("warning: the apns-push-type is missing; alert is assumed"))
            #expect(
                sentences.contains("; error: 'alert' must be a string or an object; it is 1; warning: 'mine' is ign")
            )
            try await client.close()
        }
    }

    @Test func strictGatewayRefusesUnusualNotifications() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.isStrict = true
        try await RunningGateway.run(configuration) { gateway in
            let device = try await gateway.device()
            var client = try await ProviderClient(gateway)
            for (example, reason) in [
                (ProviderCase("loud background", nil, with: [("apns-push-type", "background")]), "BadPriority"),
                (ProviderCase("no suffix", nil, with: [("apns-push-type", "voip")]), "DeviceTokenNotForTopic"),
                (ProviderCase("a zero", nil, with: [("apns-priority", "05")]), "BadPriority"),
                (ProviderCase("a sign", nil, with: [("apns-expiration", "+0")]), "BadExpirationDate"),
                (ProviderCase("a duration", nil, with: [("apns-expiration", "300")]), "BadExpirationDate"),
                (ProviderCase("no aps", nil, body: "{}"), "PayloadEmpty"),
                (ProviderCase("compressed", nil, with: [("content-encoding", "gzip")]), "PayloadEmpty"),
            ] {
                let headers = Self.headers(of: example, [.active: device.token])
                let answer = try await client.exchange(headers, body: example.body.map { Array($0.utf8) })
                #expect(answer.body == #"{"reason":"\#(reason)"}"#, "\(example.name)")
            }
            try await client.close()
        }
    }

    @Test func shutdownAnswersOpenRequestsAndSendsGOAWAY() async throws {
        let outcome = try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let fault = SendFault(token: device.token, kind: .delay, milliseconds: 200)
            #expect(try await gateway.service(.POST, "/v1/faults", fault).status == 201)
            var client = try await ProviderClient(gateway)
            let headers = Self.headers(of: ProviderCase("", nil), [.active: device.token])
            let stream = try await client.send(headers, body: Array(#"{"aps":{}}"#.utf8))
            try await waitUntil("the notification is stored") {
                try await !gateway.notifications("?token=\(device.token)").notifications.isEmpty
            }
            // The gateway shuts down when this closure returns.
            return Task { [client = ProviderClientBox(client)] in try await client.last(on: stream) }
        }
        let (answer, goAways) = try await outcome.value
        #expect(answer.status == 200)
        #expect(goAways == [#"{"reason":"Shutdown"}"#])
    }

    @Test func refusedNotificationIsLogged() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            var client = try await ProviderClient(gateway)
            let headers = Self.headers(
                of: ProviderCase("", .badPriority, with: [("apns-priority", "7")]),
                [.active: device.token]
            )
            #expect(try await client.exchange(headers, body: Array("{}".utf8)).status == 400)
            // The gateway answers a refusal immediately and stores it before notifications that it accepts later.
            let plain = Self.headers(of: ProviderCase("", nil), [.active: device.token])
            #expect(try await client.exchange(plain, body: Array(#"{"aps":{}}"#.utf8)).status == 200)
            let log = try await gateway.notifications("?token=\(device.token)")
            #expect(log.notifications.map(\.state) == [.rejected, .stored])
            #expect(log.notifications.first?.reason == .badPriority)
            try await client.close()
        }
    }
}

extension GatewayConfiguration {
    /// Returns the configuration of a gateway with both provider listeners.
    static func withTLS(_ certificate: TestCertificate) -> Self {
        var configuration = Self.forTests
        configuration.provider = ListenAddress(port: 0)
        configuration.providerTLS = TLSFiles(certificate)
        return configuration
    }
}
