import Foundation
import GatewayTestSupport
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of provider tokens over sockets.
@Suite(.timeLimit(.minutes(5))) struct ProviderAuthenticationTests {
    private static let adminToken = String(repeating: "ab", count: 32)
    private static let admin = [("authorization", "Bearer \(adminToken)")]

    private static func configuration(_ mode: Authentication) -> GatewayConfiguration {
        var configuration = GatewayConfiguration.forTests
        configuration.authentication = mode
        return configuration
    }

    /// Registers a device and a key, and returns the device's token.
    private static func setUp(_ gateway: RunningGateway, _ signer: ProviderSigner) async throws -> DeviceToken {
        let key = Array(try JSONEncoder().encode(signer.key))
        #expect(try await gateway.service(.POST, "/v1/keys", headers: admin, body: key).status == 201)
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
        let body = Array(try JSONEncoder().encode(registration))
        let credential: DeviceCredential = try await gateway.service(.POST, "/v1/devices", headers: admin, body: body)
            .decoded()
        return credential.token
    }

    private static func headers(_ token: DeviceToken, _ authorization: String?) -> HPACKHeaders {
        var headers: HPACKHeaders = [
            ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost",
            "apns-topic": "com.example.clowntown", "apns-push-type": "alert",
        ]
        if let authorization { headers.add(name: "authorization", value: authorization) }
        return headers
    }

    private static let payload = Array(#"{"aps":{"alert":"Honk"}}"#.utf8)

    @Test(arguments: [Authentication.token, .apns]) func onlyRequestsWithAValidTokenAreAccepted(
        _ mode: Authentication
    ) async throws {
        try await RunningGateway.run(Self.configuration(mode), adminToken: Self.adminToken) { gateway in
            let signer = ProviderSigner()
            let token = try await Self.setUp(gateway, signer)
            var client = try await ProviderClient(gateway)
            for (authorization, status, reason) in [
                (nil, 403, "MissingProviderToken"), ("bearer x.y.z", 403, "InvalidProviderToken"),
                ("bearer " + (try signer.token(at: 1_789_990_000)), 403, "ExpiredProviderToken"),
                ("Bearer " + (try signer.token()), 200, nil),
            ] as [(String?, Int, String?)] {
                let answer = try await client.exchange(Self.headers(token, authorization), body: Self.payload)
                #expect(answer.status == status)
                #expect(answer.body == reason.map { #"{"reason":"\#($0)"}"# } ?? "")
            }
            try await client.close()
        }
    }

    /// The signers of the teams and keys that the test uses.
    private struct Signers {
        let own = ProviderSigner()
        let narrow = ProviderSigner("TOPICKEY01", topics: ["com.example.other"])
        let sandbox = ProviderSigner("SANDBOX001", environment: .sandbox)
        let elsewhere = ProviderSigner("ELSEWHERE1", team: "TEAM654321")
        let revoked = ProviderSigner("REVOKEDKEY")

        var known: [ProviderSigner] { [own, narrow, sandbox, elsewhere, revoked] }
    }

    /// Each case uses its own connection, and its last `authorization` is the wrong one.
    @Test func everyTokenErrorHasTheReasonOfAPNsAndADistinctMessage() async throws {
        try await RunningGateway.run(Self.configuration(.apns), adminToken: Self.adminToken) { gateway in
            let signers = Signers()
            let (own, stranger) = (signers.own, ProviderSigner())
            let device = try await Self.setUp(gateway, own)
            for other in signers.known {
                let key = Array(try JSONEncoder().encode(other.key))
                #expect(try await gateway.service(.POST, "/v1/keys", headers: Self.admin, body: key).status == 201)
            }
            let path = "/v1/keys/\(signers.revoked.key.id)"
            #expect(try await gateway.service(.DELETE, path, headers: Self.admin).status == 204)
            let good = "bearer " + (try own.token())
            let swapped = try own.token(
                team: TeamID(rawValue: own.key.id.rawValue),
                keyID: ProviderKeyID(rawValue: own.key.team.rawValue)
            )
            var messages: Set<String> = []
            for (authorizations, status, reason) in [
                ([nil], 403, "MissingProviderToken"),
                (["bearer clown"], 403, "InvalidProviderToken"),
                (["bearer " + (try own.token(algorithm: "RS256"))], 403, "InvalidProviderToken"),
                (["bearer " + (try own.token(keyID: "NOBODYSKEY"))], 403, "InvalidProviderToken"),
                (["bearer " + swapped], 403, "InvalidProviderToken"),
                (["bearer " + (try signers.revoked.token())], 403, "InvalidProviderToken"),
                (["bearer " + (try stranger.token())], 403, "InvalidProviderToken"),
                (["bearer " + (try own.token(team: "TEAM654321"))], 403, "InvalidProviderToken"),
                (["bearer " + (try own.token(at: 1_790_000_000_000))], 403, "InvalidProviderToken"),
                (["bearer " + (try own.token(at: 1_789_990_000))], 403, "ExpiredProviderToken"),
                (["bearer " + (try signers.narrow.token())], 400, "TopicDisallowed"),
                (["bearer " + (try signers.sandbox.token())], 403, "BadEnvironmentKeyInToken"),
                ([good, "bearer " + (try signers.elsewhere.token())], 403, "UnrelatedKeyIdInToken"),
                ([good, "bearer " + (try own.token(at: 1_790_000_001))], 429, "TooManyProviderTokenUpdates"),
            ] as [([String?], Int, String)] {
                var client = try await ProviderClient(gateway)
                var answer: ProviderExchange?
                for authorization in authorizations {
                    var headers = Self.headers(device, authorization)
                    headers.replaceOrAdd(name: "host", value: "api.push.apple.com")
                    answer = try await client.exchange(headers, body: Self.payload)
                }
                #expect(answer?.status == status, "\(reason)")
                #expect(answer?.body == #"{"reason":"\#(reason)"}"#)
                let text = try await Self.answersOverHTTP1(to: authorizations, device, gateway)
                #expect(text.contains("HTTP/1.1 \(status) "), "\(reason)")
                #expect(text.hasSuffix(#"{"reason":"\#(reason)"}"#), "\(reason)")
                // If APNs has one reason for several errors, the gateway's messages distinguish them.
                let message = try #require(answer?.fields["waypost-message"])
                #expect(message.contains("are exchanged") == (authorizations == ["bearer " + swapped]))
                #expect(messages.insert(message).inserted, "\(message)")
                try await client.close()
            }
        }
    }

    /// Sends a request for each `authorization` over one HTTP/1.1 connection, and returns all answers.
    private static func answersOverHTTP1(
        to authorizations: [String?],
        _ device: DeviceToken,
        _ gateway: RunningGateway
    ) async throws -> String {
        let socket = try RawSocket(port: try gateway.providerPort)
        for (number, authorization) in authorizations.enumerated() {
            var request = "POST /3/device/\(device) HTTP/1.1\r\nHost: api.push.apple.com\r\n"
            if let authorization { request += "authorization: \(authorization)\r\n" }
            if number == authorizations.count - 1 { request += "Connection: close\r\n" }
            request += "apns-topic: com.example.clowntown\r\napns-push-type: alert\r\n"
            socket.send(request + "Content-Length: \(payload.count)\r\n\r\n" + String(decoding: payload, as: UTF8.self))
        }
        return await socket.read()
    }

    @Test func injectedExpiryLetsItsConnectionHaveANewToken() async throws {
        try await RunningGateway.run(Self.configuration(.apns), adminToken: Self.adminToken) { gateway in
            let signer = ProviderSigner()
            let token = try await Self.setUp(gateway, signer)
            let authorizations = try (0..<3).map { "bearer " + (try signer.token(at: 1_790_000_000 + $0)) }
            var client = try await ProviderClient(gateway)
            #expect(try await client.exchange(Self.headers(token, authorizations[0]), body: Self.payload).status == 200)
            let fault = SendFault(token: token, kind: .respond, times: 1, reason: .expiredProviderToken)
            let body = Array(try JSONEncoder().encode(fault))
            #expect(try await gateway.service(.POST, "/v1/faults", headers: Self.admin, body: body).status == 201)
            // The client retries on the same connection, as node-apn does.
            for (authorization, status) in [(0, 403), (1, 200), (2, 429)] {
                let headers = Self.headers(token, authorizations[authorization])
                #expect(try await client.exchange(headers, body: Self.payload).status == status)
            }
            try await client.close()
        }
    }

    @Test(arguments: [false, true]) func restartedBackEndIsServedWithAFindingAndES512OnlyWithoutStrict(
        _ isStrict: Bool
    ) async throws {
        var configuration = Self.configuration(.apns)
        configuration.isStrict = isStrict
        try await RunningGateway.run(configuration, adminToken: Self.adminToken) { gateway in
            let signer = ProviderSigner()
            let token = try await Self.setUp(gateway, signer)
            for (second, dialect, status, finding) in [
                (0, .standard, 200, nil), (1, .standard, 200, "providerTokenChurn"),
                (2, .es512, isStrict ? 403 : 200, isStrict ? nil : "providerTokenAlgorithm, providerTokenChurn"),
            ] as [(Int, ProviderSigner.Dialect, Int, String?)] {
                var client = try await ProviderClient(gateway)
                let authorization = "bearer " + (try signer.token(at: 1_790_000_000 + second, in: dialect))
                let answer = try await client.exchange(Self.headers(token, authorization), body: Self.payload)
                #expect(answer.status == status)
                #expect(answer.fields["waypost-findings"] == finding)
                try await client.close()
            }
        }
    }

    @Test func connectionHasOneStreamUntilItsFirstValidToken() async throws {
        try await RunningGateway.run(Self.configuration(.apns), adminToken: Self.adminToken) { gateway in
            let signer = ProviderSigner()
            let token = try await Self.setUp(gateway, signer)
            var client = try await ProviderClient(gateway)
            let authorization = "bearer " + (try signer.token())
            #expect(try await client.exchange(Self.headers(token, authorization), body: Self.payload).status == 200)
            _ = await client.connectionFrame { $0.concurrentStreams == 1_000 }
            #expect(client.connectionFrames.compactMap(\.concurrentStreams) == [1, 1_000])
            try await client.close()
        }
    }

    @Test func providerTokenAuthorizesOnlyBatches() async throws {
        try await RunningGateway.run(Self.configuration(.token), adminToken: Self.adminToken) { gateway in
            let signer = ProviderSigner()
            let token = try await Self.setUp(gateway, signer)
            let provider = [("authorization", "bearer " + (try signer.token()))]
            let batch = Array(line(token).utf8)
            #expect(try await gateway.service(.POST, "/v1/batches", headers: provider, body: batch).status == 200)
            #expect(try await gateway.service(.POST, "/v1/batches", headers: [], body: batch).status == 401)
            #expect(try await gateway.service(.GET, "/v1/namespaces", headers: provider).status == 401)
            #expect(try await gateway.service(.GET, "/v1/keys", headers: provider).status == 401)
        }
    }

    @Test(arguments: Engine.allCases) func keysAreKeptUntilTheyAreRevoked(_ engine: Engine) async throws {
        let keys = [
            ProviderSigner("AAAAAAAAAA", topics: ["a"]).key, ProviderSigner("BBBBBBBBBB", environment: .sandbox).key,
        ]
        try await engine.run { gateway in
            for key in keys.reversed() { #expect(try await gateway.service(.POST, "/v1/keys", key).status == 201) }
            #expect(try await gateway.get("/v1/keys", as: [ProviderKey].self) == keys)
            #expect(try await gateway.get("/v1/keys", in: "elsewhere", as: [ProviderKey].self).isEmpty)
            #expect(try await gateway.service(.DELETE, "/v1/keys/AAAAAAAAAA").status == 204)
            #expect(try await gateway.service(.DELETE, "/v1/keys/AAAAAAAAAA").status == 404)
            #expect(try await gateway.get("/v1/keys", as: [ProviderKey].self) == [keys[1]])
            _ = try await gateway.service(.DELETE, "/v1/namespaces/default")
            #expect(try await gateway.get("/v1/keys", as: [ProviderKey].self).isEmpty)
        }
    }

    @Test func invalidKeyIsRefused() async throws {
        try await RunningGateway.run { gateway in
            var key = ProviderSigner().key
            key.publicKey = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"
            let answer = try await gateway.service(.POST, "/v1/keys", key)
            #expect(answer.status == 400)
            key = ProviderSigner("no key").key
            #expect(try await gateway.service(.POST, "/v1/keys", key).status == 400)
            key = ProviderSigner(topics: []).key
            #expect(try await gateway.service(.POST, "/v1/keys", key).status == 400)
        }
    }

    @Test func keysSurviveARestart() async throws {
        let store = try ScratchStore()
        let signer = ProviderSigner()
        let added = try await store.run { try await $0.service(.POST, "/v1/keys", signer.key) }
        #expect(added.status == 201)
        let kept = try await store.run { try await $0.get("/v1/keys", as: [ProviderKey].self) }
        #expect(kept == [signer.key])
    }
}
