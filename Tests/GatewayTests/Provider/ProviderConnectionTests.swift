import Foundation
import GatewayClient
import GatewayTestSupport
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of the list of providers' connections, and of the faults that happen on them.
@Suite(.timeLimit(.minutes(5))) struct ProviderConnectionTests {
    private static let payload = Array(#"{"aps":{"alert":"Honk"}}"#.utf8)
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)

    private static func headers(_ token: DeviceToken, _ authorization: String? = nil) -> HPACKHeaders {
        var headers: HPACKHeaders = [
            ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost",
            "apns-topic": "com.example.clowntown", "apns-push-type": "alert",
        ]
        if let authorization { headers.add(name: "authorization", value: authorization) }
        return headers
    }

    /// Returns the text of an HTTP/1.1 request.
    private static func text(_ token: DeviceToken) -> String {
        "POST /3/device/\(token) HTTP/1.1\r\nHost: localhost\r\napns-topic: com.example.clowntown\r\n"
            + "apns-push-type: alert\r\nContent-Length: \(payload.count)\r\n\r\n"
            + String(decoding: payload, as: UTF8.self)
    }

    private static func client(_ gateway: RunningGateway, in namespace: Namespace? = nil) -> GatewayClient {
        GatewayClient(gateway.http, service: gateway.ready.service, courier: nil, namespace: namespace)
    }

    /// Lets a fault happen, and returns the number of connections that it reached.
    private static func affect(_ fault: ConnectionFault, _ gateway: RunningGateway) async throws -> Int {
        try await client(gateway).affectConnections(fault).connections
    }

    private static func events(
        of connection: Int,
        _ gateway: RunningGateway
    ) async throws -> [ProviderConnectionEvent.Kind] {
        let records = try await client(gateway).senderConnections()
        return records.first { $0.number == connection }?.events.map(\.kind) ?? []
    }

    private static func waitUntilClosed(_ connection: Int, _ gateway: RunningGateway) async throws {
        try await waitUntil("connection \(connection) is closed") {
            try await client(gateway).senderConnections().contains { $0.number == connection && $0.closedAt != nil }
        }
    }

    // MARK: Records

    @Test func requestsHaveTheirConnectionTheirTokenAndTheirStreams() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let authorization = "bearer " + (try ProviderSigner().token())
            var client = try await ProviderClient(gateway)
            // The client acknowledges the settings before it sends the next frame.
            _ = await client.connectionFrame { $0.concurrentStreams == 1_000 }
            let first = try await client.begin(Self.headers(token, authorization))
            let second = try await client.begin(Self.headers(token, authorization))
            for stream in [first, second] {
                try await client.finish(stream, body: Self.payload)
                #expect(try ProviderExchange(try await client.answer(on: stream)).status == 200)
            }
            #expect(try await client.exchange(Self.headers(token), body: Self.payload).status == 200)
            let requests = try await Self.client(gateway).senderRequests()
            #expect(requests.map(\.connection) == [1, 1, 1])
            #expect(requests.map(\.openStreams) == [1, 2, 1])
            #expect(requests.map(\.streamLimit) == [1_000, 1_000, 1_000])
            #expect(requests.map(\.providerToken) == [1, 1, nil])
            #expect(requests.map(\.answeredAt) == [Self.now, Self.now, Self.now])
            #expect(requests.allSatisfy { $0.headers == nil && $0.body == nil })
            let use = ProviderTokenUse(
                number: 1,
                team: "TEAM123456",
                key: "AB12CD34EF",
                issuedAt: Self.now,
                firstUsedAt: Self.now,
                lastUsedAt: Self.now,
                requests: 2
            )
            let expected = ProviderConnectionRecord(
                number: 1,
                openedAt: Self.now,
                version: .http2,
                requests: 3,
                highestStreams: 2,
                tokens: [use],
                events: [ProviderConnectionEvent(.streamLimit, at: Self.now, streams: 1_000)]
            )
            #expect(try await Self.client(gateway).senderConnections() == [expected])
            try await client.close()
            try await Self.waitUntilClosed(1, gateway)
        }
    }

    @Test func connectionsOverHTTP1AreListed() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send(Self.text(token))
            #expect(await socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            let expected = ProviderConnectionRecord(number: 1, openedAt: Self.now, version: .http1, requests: 1)
            #expect(try await Self.client(gateway).senderConnections() == [expected])
            let request = try await Self.client(gateway).senderRequests().first
            #expect(request?.connection == 1)
            #expect(request?.openStreams == nil)
            #expect(request?.streamLimit == nil)
        }
    }

    @Test func headersAndBodiesAreKeptOnDemand() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.recordedRequests = 100
        try await RunningGateway.run(configuration) { gateway in
            let token = try await gateway.device().token
            var client = try await ProviderClient(gateway)
            let large = [UInt8](repeating: UInt8(ascii: "a"), count: 7_000)
            for (body, status) in [(Self.payload, 200), (large, 413)] {
                let headers = Self.headers(token, "bearer secret")
                #expect(try await client.exchange(headers, body: body).status == status)
            }
            let requests = try await Self.client(gateway).senderRequests()
            let headers = ["apns-topic": "com.example.clowntown", "apns-push-type": "alert", "host": "localhost"]
            #expect(requests.map(\.headers) == [headers, headers])
            #expect(requests.first?.body == String(decoding: Self.payload, as: UTF8.self))
            #expect(requests.last?.body == String(repeating: "a", count: 6_144))
            try await client.close()
        }
    }

    @Test func resetOfTheStandardNamespaceForgetsClosedConnections() async throws {
        try await RunningGateway.run { gateway in
            var closed = try await ProviderClient(gateway)
            try await closed.ping()
            try await closed.close()
            try await Self.waitUntilClosed(1, gateway)
            var open = try await ProviderClient(gateway)
            try await open.ping()
            try await Self.client(gateway, in: "run").resetSenderReport()
            #expect(try await Self.client(gateway).senderConnections().map(\.number) == [1, 2])
            try await Self.client(gateway).resetSenderReport()
            #expect(try await Self.client(gateway).senderConnections().map(\.number) == [2])
            try await open.close()
        }
    }

    // MARK: GOAWAY

    @Test func idleConnectionStaysOpenAfterGoAway() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            var client = try await ProviderClient(gateway)
            #expect(try await client.exchange(Self.headers(token), body: Self.payload).status == 200)
            let fault = ConnectionFault(.goAway, reason: "BadCertificate", frames: 2, keepsOpen: true)
            #expect(try await Self.affect(fault, gateway) == 1)
            var count = 0
            _ = await client.connectionFrame { frame in
                if case .goAway = frame { count += 1 }
                return count == 2
            }
            let goAways = client.connectionFrames.goAways
            #expect(goAways.map(\.last) == [1, 1])
            #expect(goAways.map(\.body) == Array(repeating: #"{"reason":"BadCertificate"}"#, count: 2))
            let record = try await Self.client(gateway).senderConnections().first
            #expect(record?.closedAt == nil)
            #expect(record?.events.map(\.kind) == [.streamLimit, .goAway, .goAway])
            #expect(record?.events.map(\.reason) == [nil, "BadCertificate", "BadCertificate"])
            // A shutdown does not wait for the connection.
            try await client.close()
        }
    }

    @Test func connectionClosesAfterGoAwayOnceItsRequestsAreAnswered() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            var client = try await ProviderClient(gateway)
            let stream = try await client.begin(Self.headers(token))
            try await client.ping()
            #expect(try await Self.affect(ConnectionFault(.goAway), gateway) == 1)
            try await client.finish(stream, body: Self.payload)
            #expect(try ProviderExchange(try await client.answer(on: stream)).status == 200)
            let goAways = await client.end().goAways
            #expect(goAways.map(\.last) == [stream])
            #expect(goAways.map(\.body) == [#"{"reason":"Shutdown"}"#])
            try await Self.waitUntilClosed(1, gateway)
        }
    }

    // MARK: Silence

    @Test func silentConnectionHandlesNothingAndStaysOpen() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            var silent = try await ProviderClient(gateway)
            #expect(try await silent.exchange(Self.headers(token), body: Self.payload).status == 200)
            #expect(try await Self.affect(ConnectionFault(.silence), gateway) == 1)
            _ = try await silent.send(Self.headers(token), body: Self.payload)
            var other = try await ProviderClient(gateway)
            #expect(try await other.exchange(Self.headers(token), body: Self.payload).status == 200)
            let record = try await Self.client(gateway).senderConnections().first
            #expect(record?.closedAt == nil)
            #expect(record?.events.map(\.kind) == [.streamLimit, .silenced])
            try await silent.close()
            try await Self.waitUntilClosed(1, gateway)
            #expect(try await Self.client(gateway).senderRequests().map(\.connection) == [1, 2])
            try await other.close()
        }
    }

    @Test func silenceHappensOnce() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ProviderClient(gateway)
            try await client.ping()
            #expect(try await Self.affect(ConnectionFault(.silence), gateway) == 1)
            #expect(try await Self.affect(ConnectionFault(.silence), gateway) == 0)
        }
    }

    // MARK: Limits of streams

    @Test func limitOfStreamsAppliesToOpenAndLaterConnections() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            var client = try await ProviderClient(gateway)
            try await client.ping()
            #expect(try await Self.affect(ConnectionFault(.limitStreams, streams: 5), gateway) == 1)
            _ = await client.connectionFrame { $0.concurrentStreams == 5 }
            var later = try await ProviderClient(gateway)
            let first = await later.connectionFrame { $0.concurrentStreams != nil }
            #expect(first?.concurrentStreams == 5)
            #expect(try await later.exchange(Self.headers(token), body: Self.payload).status == 200)
            #expect(try await Self.client(gateway).senderRequests().map(\.streamLimit) == [5])
            #expect(try await Self.affect(ConnectionFault(.limitStreams), gateway) == 2)
            for number in 1...2 {
                let records = try await Self.client(gateway).senderConnections()
                let limits = records.first { $0.number == number }?.events.compactMap(\.streams)
                #expect(limits == (number == 1 ? [1_000, 5, 1_000] : [5, 1_000]))
            }
            try await client.close()
            try await later.close()
        }
    }

    @Test func limitOfStreamsIsOneUntilTheFirstValidToken() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.authentication = .apns
        let secret = String(repeating: "ab", count: 32)
        let admin = [("authorization", "Bearer \(secret)")]
        try await RunningGateway.run(configuration, adminToken: secret) { gateway in
            let signer = ProviderSigner()
            let key = Array(try JSONEncoder().encode(signer.key))
            #expect(try await gateway.service(.POST, "/v1/keys", headers: admin, body: key).status == 201)
            let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
            let device = Array(try JSONEncoder().encode(registration))
            let credential: DeviceCredential =
                try await gateway
                .service(.POST, "/v1/devices", headers: admin, body: device)
                .decoded()
            let fault = Array(try JSONEncoder().encode(ConnectionFault(.limitStreams, streams: 5)))
            let path = "/v1/sender/connections/faults"
            #expect(try await gateway.service(.POST, path, headers: admin, body: fault).status == 200)
            var client = try await ProviderClient(gateway)
            let headers = Self.headers(credential.token, "bearer " + (try signer.token()))
            #expect(try await client.exchange(headers, body: Self.payload).status == 200)
            _ = await client.connectionFrame { $0.concurrentStreams == 5 }
            #expect(client.connectionFrames.compactMap(\.concurrentStreams) == [1, 5])
            try await client.close()
        }
    }

    // MARK: Answers

    @Test func openConnectionsGetTheInjectedAnswerAndLaterOnesDoNot() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device(in: "run").token
            var client = try await ProviderClient(gateway)
            try await client.ping()
            #expect(try await Self.affect(ConnectionFault(.respond, reason: "InternalServerError"), gateway) == 1)
            let answers = [
                try await client.exchange(Self.headers(token), body: Self.payload),
                try await client.exchange(Self.headers(token), body: Self.payload),
            ]
            #expect(answers.map(\.status) == [500, 500])
            #expect(answers.map(\.body) == Array(repeating: #"{"reason":"InternalServerError"}"#, count: 2))
            var later = try await ProviderClient(gateway)
            #expect(try await later.exchange(Self.headers(token), body: Self.payload).status == 200)
            let requests = try await Self.client(gateway, in: "run").senderRequests()
            #expect(requests.map(\.status) == [500, 500, 200])
            #expect(requests.map(\.fault) == [.respond, .respond, nil])
            #expect(requests.map(\.connection) == [1, 1, 2])
            try await client.close()
            try await later.close()
        }
    }

    @Test func injectedAnswerIsForRequestsForDevicesOnly() async throws {
        try await RunningGateway.run { gateway in
            let path = "/1/apps/com.example.clowntown/all-channels"
            let list: HPACKHeaders = [":method": "GET", ":scheme": "http", ":path": path, "host": "localhost"]
            let text = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            var client = try await ProviderClient(gateway)
            try await client.ping()
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send(text)
            #expect(await socket.read(until: "}").hasPrefix("HTTP/1.1 200"))
            #expect(try await Self.affect(ConnectionFault(.respond, reason: "InternalServerError"), gateway) == 2)
            #expect(try await client.exchange(list, body: nil).status == 200)
            socket.send(text)
            #expect(await socket.read(until: "}").hasPrefix("HTTP/1.1 200"))
            #expect(try await client.exchange(Self.headers("aa"), body: Self.payload).status == 500)
            socket.send(Self.text("aa"))
            #expect(await socket.read(until: "}").hasPrefix("HTTP/1.1 500"))
            try await client.close()
        }
    }

    @Test func injectedAnswerOfAConnectionMayHaveNoBody() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ProviderClient(gateway)
            try await client.ping()
            #expect(try await Self.affect(ConnectionFault(.respond, status: 502), gateway) == 1)
            let answer = try await client.exchange(Self.headers("aa"), body: Self.payload)
            #expect(answer.status == 502)
            #expect(answer.frames == ["headers+end"])
            let requests = try await Self.client(gateway).senderRequests()
            #expect(requests.map(\.status) == [502])
            #expect(requests.map(\.reason) == [nil])
            try await client.close()
        }
    }

    @Test func requestsThatAreSentTogetherAreAnsweredInOrder() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ProviderClient(gateway)
            try await client.ping()
            let fault = ConnectionFault(.respond, reason: "Unregistered", status: 410)
            #expect(try await Self.affect(fault, gateway) == 1)
            let tokens: [DeviceToken] = ["aa", "bb", "cc"]
            for stream in client.send(together: tokens.map { Self.headers($0) }) {
                let answer = try ProviderExchange(try await client.answer(on: stream))
                #expect(answer.status == 410)
                #expect(answer.body == #"{"reason":"Unregistered","timestamp":1790000000000}"#)
            }
            #expect(try await Self.client(gateway).senderRequests().map(\.token) == tokens)
            try await client.close()
        }
    }

    // MARK: HTTP/1.1

    @Test func faultsHappenOverHTTP1AsFarAsPossible() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send(Self.text(token))
            #expect(await socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            for (fault, count) in [
                (ConnectionFault(.limitStreams, streams: 5), 0), (ConnectionFault(.goAway, keepsOpen: true), 0),
                (ConnectionFault(.respond, reason: "InternalServerError"), 1),
            ] {
                #expect(try await Self.affect(fault, gateway) == count)
            }
            socket.send(Self.text(token))
            #expect(await socket.read(until: "}").hasPrefix("HTTP/1.1 500"))
            #expect(try await Self.affect(ConnectionFault(.goAway), gateway) == 1)
            await socket.waitForHangUp()
            try await Self.waitUntilClosed(1, gateway)
        }
    }

    @Test func silentConnectionOverHTTP1HandlesNothing() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send(Self.text(token))
            #expect(await socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(try await Self.affect(ConnectionFault(.silence), gateway) == 1)
            socket.send(Self.text(token))
            socket.endSending()
            try await Self.waitUntilClosed(1, gateway)
            #expect(try await Self.client(gateway).senderRequests().count == 1)
            #expect(try await Self.events(of: 1, gateway) == [.silenced])
        }
    }

    // MARK: Checks

    @Test(arguments: [
        (ConnectionFault(.respond), "reason"), (ConnectionFault(.respond, reason: "not a word"), "reason"),
        (ConnectionFault(.respond, reason: "x", status: 200), "status"),
        (ConnectionFault(.goAway, frames: 3), "frames"), (ConnectionFault(.goAway, status: 503), "status"),
        (ConnectionFault(.silence, reason: "x"), "reason"), (ConnectionFault(.silence, keepsOpen: false), "keepsOpen"),
        (ConnectionFault(.limitStreams, streams: 0), "streams"), (ConnectionFault(.goAway, streams: 1), "streams"),
    ])
    func invalidFaultIsRefused(_ fault: ConnectionFault, _ name: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.POST, "/v1/sender/connections/faults", fault)
            #expect(answer.status == 400)
            let error: APIErrorBody = try answer.decoded()
            #expect(error.error.message.contains(name), "\(error)")
        }
    }
}
