import GatewayTestSupport
import NIOHPACK
import NIOHTTP1
import PushRules
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of faults for all devices and for some of their requests, and of test tokens.
@Suite(.timeLimit(.minutes(5))) struct ChosenFaultTests {
    private static let payload = Array(#"{"aps":{"alert":"Honk"}}"#.utf8)

    private static func headers(_ token: DeviceToken) -> HPACKHeaders {
        [
            ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost",
            "apns-topic": "com.example.clowntown", "apns-push-type": "alert",
        ]
    }

    // MARK: Faults for all devices

    @Test func faultForAllDevicesIsInjectedIntoTheRequestsOfItsNamespace() async throws {
        try await RunningGateway.run { gateway in
            let (first, second) = (try await gateway.device(), try await gateway.device())
            let other = try await gateway.device(in: "elsewhere")
            let fault = SendFault(kind: .respond, times: 3, reason: .serviceUnavailable)
            #expect(try await gateway.service(.POST, "/v1/faults", fault).status == 201)
            var client = try await ProviderClient(gateway)
            var statuses: [Int] = []
            // A token that no device has belongs to the default namespace.
            for token in [other.token, first.token, second.token, "c0ffee", first.token] {
                statuses.append(try await client.exchange(Self.headers(token), body: Self.payload).status)
            }
            #expect(statuses == [200, 503, 503, 503, 200])
            #expect(try await gateway.get("/v1/faults", as: [ScriptedFault].self).isEmpty)
            let requests: [ProviderRequestRecord] = try await gateway.get("/v1/sender/requests")
            #expect(requests.map(\.token) == [first.token, second.token, "c0ffee", first.token])
            #expect(requests.map(\.fault) == [.respond, .respond, .respond, nil])
            try await client.close()
        }
    }

    @Test func requestsWithoutAnAnswerAreRecordedForTheirDevices() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(in: "run")
            let fault = SendFault(kind: .reset, times: 1)
            #expect(try await gateway.service(.POST, "/v1/faults", fault, in: "run").status == 201)
            var client = try await ProviderClient(gateway)
            #expect(
                try await client.exchange(Self.headers(device.token), body: Self.payload).frames == ["reset 2"]
            )
            let requests: [ProviderRequestRecord] = try await gateway.get("/v1/sender/requests", in: "run")
            #expect(requests.map(\.token) == [device.token])
            try await client.close()
        }
    }

    @Test func patternChoosesTheRequests() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let fault = SendFault(kind: .respond, times: 2, reason: .tooManyRequests, pattern: "--x")
            let scripted: ScriptedFault = try await gateway.service(.POST, "/v1/faults", fault).decoded()
            #expect(scripted.fault == fault)
            var client = try await ProviderClient(gateway)
            var statuses: [Int] = []
            for _ in 0..<9 {
                statuses.append(try await client.exchange(Self.headers(device.token), body: Self.payload).status)
            }
            #expect(statuses == [200, 200, 429, 200, 200, 429, 200, 200, 200])
            try await client.close()
        }
    }

    @Test func sameSeedChoosesTheSameRequests() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            var client = try await ProviderClient(gateway)
            var runs: [[Int]] = []
            for seed in [7, 7, 8] {
                let fault = SendFault(kind: .respond, reason: .tooManyRequests, probability: 0.5, seed: seed)
                #expect(try await gateway.service(.POST, "/v1/faults", fault).status == 201)
                var statuses: [Int] = []
                for _ in 0..<16 {
                    statuses.append(try await client.exchange(Self.headers(device.token), body: Self.payload).status)
                }
                runs.append(statuses)
                #expect(try await gateway.service(.DELETE, "/v1/faults").status == 204)
            }
            #expect(Set(runs[0]) == [200, 429])
            #expect(runs[0] == runs[1])
            #expect(runs[0] != runs[2])
            try await client.close()
        }
    }

    // MARK: Test tokens

    private static let testToken: DeviceToken = "7e571000c0ffee"

    @Test func testTokenGetsItsAnswerRegisteredOrNot() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.hasTestTokens = true
        try await RunningGateway.run(configuration) { gateway in
            let device = try await gateway.device(token: Self.testToken)
            #expect(device.token == Self.testToken)
            var client = try await ProviderClient(gateway)
            for (token, status, body) in [
                ("7E571000C0FFEE", 410, #"{"reason":"Unregistered","timestamp":1790000000000}"#),
                ("7e5729", 429, #"{"reason":"TooManyRequests"}"#),
            ] as [(DeviceToken, Int, String)] {
                let answer = try await client.exchange(Self.headers(token), body: Self.payload)
                #expect(answer.status == status)
                #expect(answer.body == body)
                #expect(answer.fields["waypost-message"]?.contains(token.rawValue.lowercased().prefix(6)) == true)
                // The log has the refusal, and nothing is delivered.
                let id = NotificationID(rawValue: try #require(answer.fields["apns-id"]))
                let record = try await gateway.notification(id, "?wait=rejected&timeout=60s")
                #expect(record.reason?.status == status)
            }
            // Digits without a reason are those of an ordinary token.
            #expect(try await client.exchange(Self.headers("7e5799"), body: Self.payload).status == 400)
            let requests: [ProviderRequestRecord] = try await gateway.get("/v1/sender/requests")
            #expect(requests.map(\.status) == [410, 429, 400])
            try await client.close()
        }
    }

    @Test func gatewayHasNoTestTokensByDefault() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(token: Self.testToken)
            var client = try await ProviderClient(gateway)
            #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == 200)
            try await client.close()
        }
    }
}
