import Foundation
import GatewayClient
import GatewayStore
import GatewayTestSupport
import StoreTestSupport
import Testing
import WaypostSchema

/// `POST /v1/session`: a stream whose request has the acknowledgements.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    @Test(arguments: Engine.allCases)
    func lineOfTheBodyAcknowledges(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let batch = try await gateway.send(String(repeating: line(device.token), count: 3))
            let session = try RawSocket(port: gateway.courierPort)
            session.send(gateway.sessionRequest(device))
            let events = try await Self.notifications(3, session)
            session.send(Self.chunk("{\"sequences\":[\(events[2].sequence)]}\n"))
            try await gateway.wait(for: [.acknowledged: 1, .sent: 2], of: batch.id)
            session.send(Self.chunk("{\"upTo\":\(events[1].sequence)}\n"))
            try await gateway.wait(for: [.acknowledged: 3], of: batch.id)
            withExtendedLifetime(session) {}
        }
    }

    @Test func answerBeginsBeforeAnythingIsAcknowledged() async throws {
        try await RunningGateway.run { gateway in
            let session = try RawSocket(port: gateway.courierPort)
            session.send(gateway.sessionRequest(try await gateway.device()))
            let answer = await session.read(until: ": heartbeat")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.contains("content-type: text/event-stream\r\n"))
        }
    }

    @Test func acknowledgementsInTheSamePacketAsTheHeadCount() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let batch = try await gateway.send(line(device.token) + line(device.token))
            let sequences = try await gateway.events(2, of: device).map { try #require(Int($0.id)) }
            let session = try RawSocket(port: gateway.courierPort)
            let lines = sequences.map { Self.chunk("{\"sequences\":[\($0)]}\n") }.joined()
            session.send(gateway.sessionRequest(device) + lines)
            try await gateway.wait(for: [.acknowledged: 2], of: batch.id)
            withExtendedLifetime(session) {}
        }
    }

    @Test func bodyMayArriveInAnyPieces() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let batch = try await gateway.send(line(device.token))
            let sequence = try #require(Int(try await gateway.events(1, of: device)[0].id))
            let session = try RawSocket(port: gateway.courierPort)
            let body = "{\"sequences\":[\(sequence)]}\n".map { Self.chunk(String($0)) }.joined()
            // The head has a deadline, so it comes at once.
            session.send(gateway.sessionRequest(device))
            for byte in body.utf8 { await session.send([byte]) }
            try await gateway.wait(for: [.acknowledged: 1], of: batch.id)
            withExtendedLifetime(session) {}
        }
    }

    @Test func streamGoesOnAfterTheEndOfTheBody() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let session = try RawSocket(port: gateway.courierPort)
            session.send(gateway.sessionRequest(device) + "0\r\n\r\n")
            _ = await session.read(until: ": heartbeat")
            try await gateway.send(line(device.token))
            #expect(try await Self.notifications(1, session).count == 1)
        }
    }

    @Test func otherLineEndsTheStreamWithItsNumber() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let batch = try await gateway.send(line(device.token) + line(device.token))
            let session = try RawSocket(port: gateway.courierPort)
            session.send(gateway.sessionRequest(device))
            let events = try await Self.notifications(2, session)
            let good = "{\"sequences\":[\(events[0].sequence)]}\n"
            session.send(Self.chunk(good + "{\"upto\":2}\n{\"upTo\":\(events[1].sequence)}\n"))
            let end = await session.read()
            #expect(end.contains("event: end\ndata: {\"reason\":\"malformedAcknowledgement\",\"message\":\"line 2 of"))
            #expect(end.contains("{\\\"upTo\\\":n}"), "\(end)")
            #expect(try await gateway.status(of: batch.id).states[.acknowledged] ?? 0 <= 1)
        }
    }

    @Test func acknowledgementThatTheStoreRefusesEndsTheStream() async throws {
        let store = try #require(OracleStore.open(handles: 1, delivering: .payloads).first)
        try await RunningGateway.run(store: store) { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(device.token))
            let session = try RawSocket(port: gateway.courierPort)
            session.send(gateway.sessionRequest(device))
            let sequence = try await Self.notifications(1, session)[0].sequence
            store.fail(with: .full)
            session.send(Self.chunk("{\"upTo\":\(sequence)}\n"))
            #expect(await session.read().contains("\"reason\":\"failed\""))
            store.fail(with: nil)
            #expect(try await gateway.readAll(device).count == 1)
        }
    }

    @Test func unknownSecretGetsAnErrorInsteadOfAStream() async throws {
        try await RunningGateway.run { gateway in
            let stranger = DeviceCredential(token: "00", secret: "nobody")
            let session = try RawSocket(port: gateway.courierPort)
            session.send(gateway.sessionRequest(stranger) + "0\r\n\r\n")
            #expect(await session.read(until: "unauthorized").hasPrefix("HTTP/1.1 401 "))
        }
    }

    @Test func otherMethodIsRefusedWithTheRightOne() async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.rawCourier("GET /v1/session HTTP/1.0\r\nHost: localhost\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 405 ") || answer.hasPrefix("HTTP/1.0 405 "))
            #expect(answer.lowercased().contains("allow: post"))
        }
    }

    @Test func manyAcknowledgementsWithoutAPauseAreAllStored() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let batch = try await gateway.send(String(repeating: line(device.token), count: 900))
            let session = try RawSocket(port: gateway.courierPort)
            session.send(gateway.sessionRequest(device))
            let events = try await Self.notifications(900, session)
            let useless = String(repeating: "{\"sequences\":[1000000]}\n", count: 100_000)
            await session.send(Array(Self.chunk(useless).utf8))
            for event in events.shuffled() {
                await session.send(Array(Self.chunk("{\"sequences\":[\(event.sequence)]}\n").utf8))
            }
            try await gateway.wait(for: [.acknowledged: 900], of: batch.id)
            withExtendedLifetime(session) {}
        }
    }

    private static func chunk(_ text: String) -> String {
        "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
    }

    /// Reads a session until `count` notifications have arrived, and returns them.
    private static func notifications(
        _ count: Int,
        _ session: borrowing RawSocket
    ) async throws -> [DeliveredNotification] {
        var text = ""
        while text.components(separatedBy: "\ndata: ").count <= count || !text.hasSuffix("\n\n\r\n") {
            text += await session.read(until: "\n\n\r\n")
        }
        return try text.split(separator: "\n").filter { $0.hasPrefix("data: {\"sequence\"") }.map {
            try JSONDecoder().decode(DeliveredNotification.self, from: Data($0.dropFirst(6).utf8))
        }
    }
}

extension RunningGateway {
    func sessionRequest(_ device: DeviceCredential) -> String {
        """
        POST /v1/session HTTP/1.1\r
        Host: localhost\r
        Authorization: Bearer \(device.secret.rawValue)\r
        Transfer-Encoding: chunked\r
        \r

        """
    }
}
