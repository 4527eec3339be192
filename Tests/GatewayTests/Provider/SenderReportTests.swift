import AsyncHTTPClient
import GatewayClient
import GatewayTestSupport
import NIOHPACK
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of the report about providers, over the provider listener and the service listener.
@Suite(.timeLimit(.minutes(5))) struct SenderReportTests {
    private static let payload = Array(#"{"aps":{"alert":"Honk"}}"#.utf8)

    private static func headers(_ token: DeviceToken, _ more: [(String, String)] = []) -> HPACKHeaders {
        let fields = [
            (":method", "POST"), (":scheme", "http"), (":path", "/3/device/\(token)"), ("host", "localhost"),
            ("apns-topic", "com.example.clowntown"), ("apns-push-type", "alert"),
        ]
        return HPACKHeaders(fields + more)
    }

    /// Returns the text of an HTTP/1.1 request.
    private static func text(_ token: DeviceToken, isLast: Bool = true) -> String {
        "POST /3/device/\(token) HTTP/1.1\r\nHost: localhost\r\n"
            + (isLast ? "Connection: close\r\n" : "")
            + "apns-topic: com.example.clowntown\r\napns-push-type: alert\r\nContent-Length: \(payload.count)\r\n\r\n"
            + String(decoding: payload, as: UTF8.self)
    }

    private static func report(_ gateway: RunningGateway, in namespace: Namespace? = nil) async throws -> SenderReport {
        try await gateway.get("/v1/sender", in: namespace)
    }

    private static func add(_ fault: SendFault, _ gateway: RunningGateway) async throws {
        #expect(try await gateway.service(.POST, "/v1/faults", fault).status == 201)
    }

    private static func unregister(_ token: DeviceToken, _ gateway: RunningGateway) async throws {
        let standing = ["standing": "unregistered"]
        #expect(try await gateway.service(.PUT, "/v1/devices/\(token)/standing", standing, in: "run").status == 200)
    }

    // MARK: Numbers

    @Test(arguments: Engine.allCases) func requestsBelongToTheNamespaceOfTheirDevice(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(in: "run")
            #expect(try await Self.report(gateway, in: "run") == SenderReport())
            for authorization in ["bearer one", "bearer two"] {
                var client = try await ProviderClient(gateway)
                for token in [device.token, device.token, "00ff"] {
                    let headers = Self.headers(token, [("authorization", authorization)])
                    _ = try await client.exchange(headers, body: Self.payload)
                }
                try await client.close()
            }
            let own = SenderReport(connections: 2, requests: 4, providerTokens: 2, answers: ["200": 4])
            #expect(try await Self.report(gateway, in: "run") == own)
            let others = SenderReport(connections: 2, requests: 2, providerTokens: 2, answers: ["400": 2])
            #expect(try await Self.report(gateway) == others)
        }
    }

    @Test func requestsThatAreRefusedBeforeTheirDeviceIsFoundBelongToTheStandardNamespace() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(in: "run")
            var client = try await ProviderClient(gateway)
            let headers = Self.headers(device.token, [("apns-priority", "7")])
            #expect(try await client.exchange(headers, body: Self.payload).status == 400)
            #expect(try await client.exchange(Self.headers("clown"), body: Self.payload).status == 400)
            #expect(try await Self.report(gateway, in: "run") == SenderReport())
            let expected = SenderReport(connections: 1, requests: 2, answers: ["400": 2])
            #expect(try await Self.report(gateway) == expected)
            try await client.close()
        }
    }

    @Test func requestsOverHTTP1Count() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(in: "run")
            try await Self.unregister(device.token, gateway)
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send(Self.text(device.token, isLast: false) + Self.text(device.token))
            _ = await socket.read()
            let expected = SenderReport(
                connections: 1,
                requests: 2,
                answers: ["410": 2],
                unregistered: 1,
                sentAfterUnregistered: 1
            )
            #expect(try await Self.report(gateway, in: "run") == expected)
        }
    }

    @Test func requestsAboutChannelsAndFromOtherSitesDoNotCount() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ProviderClient(gateway)
            let path = "/1/apps/com.example.clowntown/all-channels"
            let list: HPACKHeaders = [":method": "GET", ":scheme": "http", ":path": path, "host": "localhost"]
            #expect(try await client.exchange(list, body: nil).status == 200)
            let foreign = Self.headers("00ff", [("origin", "http://evil.example")])
            #expect(try await client.exchange(foreign, body: Self.payload).status == 403)
            #expect(try await Self.report(gateway) == SenderReport())
            try await client.close()
        }
    }

    // MARK: Errors

    @Test func requestsAfterAnInjected429AreRetries() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(in: "run")
            try await Self.add(
                SendFault(token: device.token, kind: .respond, times: 1, reason: .tooManyRequests),
                gateway
            )
            var client = try await ProviderClient(gateway)
            #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == 429)
            var expected = SenderReport(connections: 1, requests: 1, answers: ["429": 1], throttled: 1)
            #expect(try await Self.report(gateway, in: "run") == expected)
            #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == 200)
            expected.requests = 2
            expected.answers["200"] = 1
            expected.retriedAfterThrottling = 1
            #expect(try await Self.report(gateway, in: "run") == expected)
            #expect(try await Self.report(gateway) == SenderReport())
            try await client.close()
        }
    }

    @Test func requestsAboveTheDeviceRateAreThrottled() async throws {
        var configuration = GatewayConfiguration.forTests.withManualClock
        configuration.deviceRate = 1
        try await RunningGateway.run(configuration) { gateway in
            let device = try await gateway.device(in: "run")
            var client = try await ProviderClient(gateway)
            for status in [200, 429, 429] {
                #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == status)
            }
            let expected = SenderReport(
                connections: 1,
                requests: 3,
                answers: ["200": 1, "429": 2],
                throttled: 1,
                retriedAfterThrottling: 1
            )
            #expect(try await Self.report(gateway, in: "run") == expected)
            try await client.close()
        }
    }

    /// The second request arrives while the gateway looks for a fault for the first one.
    @Test func requestsThatAreSentTogetherAreNoRetries() async throws {
        try await RunningGateway.run { gateway in
            try await Self.add(SendFault(token: "aa", kind: .respond, reason: .tooManyRequests), gateway)
            var client = try await ProviderClient(gateway)
            for stream in client.send(together: [Self.headers("aa"), Self.headers("aa")]) {
                #expect(try ProviderExchange(try await client.answer(on: stream)).status == 429)
            }
            let expected = SenderReport(connections: 1, requests: 2, answers: ["429": 2], throttled: 1)
            #expect(try await Self.report(gateway) == expected)
            try await client.close()
        }
    }

    @Test func requestsAfter410AreCounted() async throws {
        try await RunningGateway.run { gateway in
            let (gone, kept) = (try await gateway.device(in: "run"), try await gateway.device(in: "run"))
            try await Self.unregister(gone.token, gateway)
            var client = try await ProviderClient(gateway)
            for token in [gone.token, kept.token, gone.token, gone.token] {
                _ = try await client.exchange(Self.headers(token), body: Self.payload)
            }
            let expected = SenderReport(
                connections: 1,
                requests: 4,
                answers: ["200": 1, "410": 3],
                unregistered: 1,
                sentAfterUnregistered: 2
            )
            #expect(try await Self.report(gateway, in: "run") == expected)
            try await client.close()
        }
    }

    @Test(arguments: [SendFault.Kind.hang, .reset, .goAway]) func requestWithoutAnAnswerCounts(
        _ kind: SendFault.Kind
    ) async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(in: "run")
            try await Self.add(SendFault(token: device.token, kind: kind), gateway)
            var client = try await ProviderClient(gateway)
            _ = try await client.send(Self.headers(device.token), body: Self.payload)
            try await waitUntil("the request counts") { try await Self.report(gateway, in: "run") != SenderReport() }
            #expect(try await Self.report(gateway, in: "run") == SenderReport(connections: 1, requests: 1))
        }
    }

    @Test func delayedAnswersCountWhenTheyAreSent() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(in: "run")
            let delays = [100, 100, 600_000]
            for milliseconds in delays {
                let fault = SendFault(token: device.token, kind: .delay, times: 1, milliseconds: milliseconds)
                try await Self.add(fault, gateway)
            }
            var client = try await ProviderClient(gateway)
            #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == 200)
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send(Self.text(device.token))
            #expect(await socket.read().hasPrefix("HTTP/1.1 200"))
            var expected = SenderReport(connections: 2, requests: 2, answers: ["200": 2])
            #expect(try await Self.report(gateway, in: "run") == expected)
            #expect(try await Self.requests(gateway, in: "run").map(\.status) == [200, 200])
            _ = try await client.send(Self.headers(device.token), body: Self.payload)
            try await waitUntil("the third request counts") { [expected] in
                try await Self.report(gateway, in: "run") != expected
            }
            expected.requests = 3
            #expect(try await Self.report(gateway, in: "run") == expected)
            #expect(try await Self.requests(gateway, in: "run").map(\.status) == [200, 200, nil])
            #expect(try await Self.requests(gateway, in: "run").map(\.fault) == [.delay, .delay, .delay])
            try await client.close()
        }
    }

    // MARK: The last requests

    private static func requests(
        _ gateway: RunningGateway,
        in namespace: Namespace? = nil
    ) async throws -> [ProviderRequestRecord] {
        try await gateway.get("/v1/sender/requests", in: namespace)
    }

    @Test func lastRequestsAreListedWithTheirResponses() async throws {
        try await RunningGateway.run(.forTests.withManualClock) { gateway in
            let token = try await gateway.device(in: "run").token
            // The times are the system's, so that one can see how long a client waits.
            try await ManualClockTests.advance(gateway, ClockAdvance(by: 5_000), in: "run")
            let now = ManualClockTests.start
            let headers = Self.headers(token, [("apns-id", "82377ec6-73e4-5215-b1c0-42dc3fd219de")])
            var client = try await ProviderClient(gateway)
            #expect(try await client.exchange(headers, body: Self.payload).status == 200)
            try await Self.add(SendFault(token: token, kind: .respond, times: 1, reason: .tooManyRequests), gateway)
            #expect(try await client.exchange(headers, body: Self.payload).status == 429)
            try await Self.add(SendFault(token: token, kind: .hang), gateway)
            _ = try await client.send(headers, body: Self.payload)
            try await waitUntil("the third request counts") { try await Self.requests(gateway, in: "run").count == 3 }
            let requests = try await Self.requests(gateway, in: "run")
            #expect(requests.map(\.number) == [1, 2, 3])
            #expect(requests.map(\.at.rawValue) == [now, now, now])
            #expect(requests.map(\.token) == [token, token, token])
            #expect(requests.map(\.status) == [200, 429, nil])
            #expect(requests.map(\.reason) == [nil, .tooManyRequests, nil])
            #expect(requests.map { $0.message != nil } == [false, true, false])
            #expect(requests.map(\.fault) == [nil, .respond, .hang])
            #expect(requests.map { $0.id != nil } == [true, true, false])
            #expect(try await Self.requests(gateway).isEmpty)
            #expect(try await gateway.service(.DELETE, "/v1/namespaces/run").status == 204)
            #expect(try await Self.requests(gateway, in: "run").isEmpty)
            try await client.close()
        }
    }

    @Test func requestWithAnUnknownTokenIsListedInTheStandardNamespace() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ProviderClient(gateway)
            _ = try await client.exchange(Self.headers("00ff"), body: Self.payload)
            _ = try await client.exchange(Self.headers("00ff", [("apns-id", "not a UUID")]), body: Self.payload)
            let requests = try await Self.requests(gateway)
            #expect(requests.map(\.reason) == [.badDeviceToken, .badMessageId])
            #expect(requests.map(\.status) == [400, 400])
            #expect(requests.map { $0.id != nil } == [true, false])
            #expect(try await gateway.service(.DELETE, "/v1/sender").status == 204)
            #expect(try await Self.requests(gateway).isEmpty)
            try await client.close()
        }
    }

    @Test func delayedResponseIsListedWhenItIsSent() {
        var requests = RecentRequests()
        for number in 1...2 { requests.append(ProviderRequestRecord(number: number, at: Timestamp(milliseconds: 0))) }
        let finding = NotificationFinding(code: .missingPushType, message: "no push type")
        requests.add(
            ProviderResponse(outcome: .accepted(uniqueID: "a"), id: "b", findings: [finding]),
            to: 1,
            at: Timestamp(milliseconds: 7)
        )
        #expect(requests.records.map(\.answeredAt) == [Timestamp(milliseconds: 7), nil])
        #expect(requests.records.map(\.status) == [200, nil])
        #expect(requests.records.map(\.findings) == [[finding], nil])
    }

    @Test func onlyTheLastRequestsAreListed() {
        var requests = RecentRequests()
        for number in 1...RecentRequests.standardCapacity + 1 {
            requests.append(ProviderRequestRecord(number: number, at: Timestamp(milliseconds: 0)))
        }
        let time = Timestamp(milliseconds: 7)
        requests.add(ProviderResponse(outcome: .accepted(uniqueID: "a"), id: "b"), to: 1, at: time)
        #expect(requests.records.map(\.number) == Array(2...RecentRequests.standardCapacity + 1))
        #expect(requests.records.allSatisfy { $0.status == nil })
    }

    @Test func oldestRequestsLoseTheirHeadersAndBodiesIfTheseAreTooLarge() {
        var requests = RecentRequests(capacity: 3, contentCapacity: 20)
        func append(_ number: Int, bodySize: Int?) {
            requests.append(
                ProviderRequestRecord(
                    number: number,
                    at: Timestamp(milliseconds: 0),
                    headers: bodySize.map { _ in ["name": "value"] },
                    body: bodySize.map { String(repeating: "a", count: $0) }
                )
            )
        }
        append(1, bodySize: 1)
        append(2, bodySize: 1)
        #expect(requests.records.map(\.body) == ["a", "a"])
        append(3, bodySize: 1)
        #expect(requests.records.map(\.body) == [nil, "a", "a"])
        #expect(requests.records.map { $0.headers != nil } == [false, true, true])
        append(4, bodySize: nil)
        append(5, bodySize: 11)
        #expect(requests.records.map(\.number) == [3, 4, 5])
        #expect(requests.records.map { $0.body?.count } == [nil, nil, 11])
        append(6, bodySize: 0)
        append(7, bodySize: 2)
        #expect(requests.records.map { $0.body?.count } == [nil, 0, 2])
    }

    // MARK: The service listener

    @Test func reportCanBeResetForANamespace() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(in: "run")
            var client = try await ProviderClient(gateway)
            let service = gateway.ready.service
            let run = GatewayClient(gateway.http, service: service, courier: nil, namespace: "run")
            let other = GatewayClient(gateway.http, service: service, courier: nil)
            let expected = SenderReport(connections: 1, requests: 1, answers: ["200": 1])
            let unknown = SenderReport(connections: 1, requests: 1, answers: ["400": 1])
            _ = try await client.exchange(Self.headers("00ff"), body: Self.payload)
            // After a reset, the same connection counts again.
            for _ in 0..<2 {
                #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == 200)
                #expect(try await run.senderReport() == expected)
                try await run.resetSenderReport()
                #expect(try await run.senderReport() == SenderReport())
                #expect(try await other.senderReport() == unknown)
            }
            #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == 200)
            #expect(try await gateway.service(.DELETE, "/v1/namespaces/run").status == 204)
            #expect(try await run.senderReport() == SenderReport())
            #expect(try await other.senderReport() == unknown)
            try await client.close()
        }
    }

    @Test(arguments: [HTTPMethod.GET, .DELETE]) func invalidNamespaceIsRefused(_ method: HTTPMethod) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(method, "/v1/sender", headers: RunningGateway.headers(".run"))
            #expect(answer.status == 400)
            #expect(try answer.error.code == "badParameter")
            let reset = try await gateway.service(.DELETE, "/v1/sender")
            #expect(reset.status == 204)
            #expect(reset.body.isEmpty)
        }
    }

    @Test func reportRequiresTheAdministrativeToken() async throws {
        try await AdminTokenTests.run { gateway, token in
            for (method, status) in [(HTTPMethod.GET, UInt(200)), (.DELETE, 204)] {
                let refused = try await gateway.service(method, "/v1/sender")
                #expect(refused.status == 401)
                let headers = [("authorization", "Bearer \(token)")]
                let answer = try await gateway.service(method, "/v1/sender", headers: headers)
                #expect(answer.status == status)
            }
        }
    }
}
