import AsyncHTTPClient
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import NIOCore
import Testing
import WaypostSchema
import WaypostTestSupport

/// Tests of misbehaving devices: each harms only itself.
///
/// Some send megabytes, or connect a thousand times.
@Suite(.timeLimit(.minutes(5))) struct CourierMisbehaviorTests {
    /// A configuration with short time-outs, which keep the tests fast.
    static var impatient: GatewayConfiguration {
        var configuration = GatewayConfiguration.forTests
        (configuration.heartbeatInterval, configuration.stallTimeout, configuration.requestTimeout) = (1, 3, 3)
        return configuration
    }

    static func lines(_ count: Int, to token: DeviceToken, payloadSize: Int = 40) -> String {
        let text = String(repeating: "x", count: payloadSize)
        return (0..<count).map { line(token, payload: #"{"aps":{"alert":"\#(text)"},"number":\#($0)}"#) }.joined()
    }

    @Test(arguments: Engine.allCases) func clientThatNeverReadsIsDisconnectedAndLosesNothing(
        _ engine: Engine
    ) async throws {
        try await engine.run(Self.impatient) { gateway in
            let (deaf, other) = (try await gateway.device(), try await gateway.device())
            let socket = try RawSocket(port: gateway.courierPort, receiveBuffer: 4_096)
            socket.send(gateway.streamRequest(deaf))
            try await gateway.send(Self.lines(600, to: deaf.token, payloadSize: 3_000))
            // Another device is served meanwhile.
            try await gateway.send(line(other.token))
            #expect(try await gateway.events(1, of: other).count == 1)
            // The kernel may not notify a client that reads nothing; the gateway knows.
            try await gateway.waitUntilGone(deaf)
            let read = try await gateway.readAll(deaf)
            withExtendedLifetime(socket) {}
            #expect(read.count == 600)
            #expect(Set(read.map(\.id)).count == 600)
        }
    }

    /// No heartbeat, signal or acknowledgement wakes the stream: only that the client reads.
    @Test func slowClientGetsTheNextPieceWhenItReads() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.heartbeatInterval = 3_600
        try await Engine.memory.run(configuration) { gateway in
            let device = try await gateway.device()
            try await gateway.send(Self.lines(600, to: device.token, payloadSize: 3_000))
            let socket = try RawSocket(port: gateway.courierPort, receiveBuffer: 4_096)
            socket.send(gateway.streamRequest(device))
            let text = await socket.read(until: #""number":599"#)
            #expect(text.contains(#""number":599"#))
        }
    }

    @Test(arguments: Engine.allCases)
    func acknowledgingUndeliveredNotificationsChangesNothing(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let (liar, other) = (try await gateway.device(), try await gateway.device())
            let batch = try await gateway.send(line(liar.token) + line(other.token))
            var stream = try await gateway.stream(other)
            let notOurs = try await #require(stream.next().first).sequence
            let words: [Acknowledgement] = [
                .sequences([notOurs, notOurs + 1_000, 0, -1, .max, .min]), .upTo(.max), .upTo(notOurs), .upTo(.min),
            ]
            for word in words { #expect(try await gateway.acknowledge(word, liar).acknowledged == 0) }
            #expect(try await gateway.readAll(liar).count == 1)
            #expect(try await gateway.status(of: batch.id).states == [.acknowledged: 1, .sent: 1])
        }
    }

    @Test(arguments: Engine.allCases)
    func manyShortConnectionsLeaveNothingBehind(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let batch = try await gateway.send(Self.lines(5, to: device.token))
            for number in 0..<1_000 {
                let socket = try RawSocket(port: gateway.courierPort)
                if number % 3 > 0 { socket.send(gateway.streamRequest(device)) }
                if number % 51 == 2 { _ = await socket.read(until: ": heartbeat") }
            }
            #expect(try await gateway.readAll(device).count == 5)
            try await gateway.wait(for: [.acknowledged: 5], of: batch.id)
            // No connection is left, which a transient notification shows.
            try await gateway.waitUntilGone(device)
        }
    }

    @Test func connectionWithoutACompleteRequestIsClosed() async throws {
        try await Engine.memory.run(Self.impatient) { gateway in
            let silent = try RawSocket(port: gateway.courierPort)
            let slow = try RawSocket(port: gateway.courierPort)
            slow.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n")
            await silent.waitForHangUp()
            await slow.waitForHangUp()
        }
    }

    @Test func connectionWithAnIncompleteBodyIsClosed() async throws {
        try await Engine.memory.run(Self.impatient) { gateway in
            let device = try await gateway.device()
            let socket = try RawSocket(port: gateway.courierPort)
            socket.send(
                "POST /v1/acks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(device.secret.rawValue)\r\n"
                    + "Content-Length: 100\r\n\r\n{"
            )
            await socket.waitForHangUp()
        }
    }

    @Test(arguments: Engine.allCases) func halfClosedConnectionEndsItsStream(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let socket = try RawSocket(port: gateway.courierPort)
            socket.send(gateway.streamRequest(device))
            _ = await socket.read(until: ": heartbeat")
            socket.endSending()
            await socket.waitForHangUp()
            try await gateway.waitUntilGone(device)
        }
    }

    @Test(arguments: Engine.allCases)
    func concurrentAcknowledgementsCountEachNotificationOnce(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let batch = try await gateway.send(Self.lines(300, to: device.token))
            let sequences = try await gateway.events(300, of: device).compactMap { Int($0.id) }
            let total = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let some = (0..<20).map { sequences[(number * 20 + $0 * 13) % sequences.count] }
                        return try await gateway.acknowledge(.sequences(some), device).acknowledged
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(total == 300)
            #expect(try await gateway.status(of: batch.id).states == [.acknowledged: 300])
        }
    }

    @Test(arguments: Engine.allCases)
    func twoClientsWithOneCredentialReplaceEachOtherAndLoseNothing(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            var seen: Set<NotificationID> = []
            var batches: [BatchID] = []
            var reasons: [StreamEnd.Reason] = []
            for _ in 0..<20 {
                let first = try await gateway.open(device)
                batches.append(try await gateway.send(Self.lines(3, to: device.token)).id)
                var second = try await gateway.stream(device)
                for notification in try await second.next(3) {
                    seen.insert(notification.id)
                    _ = try await gateway.acknowledge(.sequences([notification.sequence]), device)
                }
                reasons.append(try await gateway.end(of: first).reason)
            }
            #expect(seen.count == 60)
            #expect(reasons == Array(repeating: .replaced, count: 20))
            for batch in batches { #expect(try await gateway.status(of: batch).states == [.acknowledged: 3]) }
        }
    }

    @Test func backlogResumesAfterTheLastAcknowledgementWhenTheGatewayRestarts() async throws {
        let store = try ScratchStore()
        let device = try await store.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(Self.lines(500, to: device.token))
            var stream = try await gateway.stream(device)
            let first = try await stream.next(100)
            _ = try await gateway.acknowledge(.upTo(first[49].sequence), device)
            return device
        }
        try await store.run { gateway in
            let rest = try await gateway.readAll(device)
            #expect(rest.count == 450)
            #expect(rest.compactMap { $0.payload["number"] } == (50..<500).map { JSONValue.integer($0) })
        }
    }
}

extension RunningGateway {
    /// The port of the courier listener.
    var courierPort: UInt16 {
        get throws { try #require(ready.courier.split(separator: ":").last.flatMap { UInt16($0) }) }
    }

    /// Returns the request for a device's stream as HTTP/1.1 text.
    func streamRequest(_ device: DeviceCredential) -> String {
        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(device.secret.rawValue)\r\n\r\n"
    }

    /// Sends a marker notification, and reads and acknowledges a device's inbox up to it.
    ///
    /// If another stream replaces its stream, the function opens a new one, as a device would.
    func readAll(_ device: DeviceCredential) async throws -> [DeliveredNotification] {
        let mark = UUID().uuidString
        try await send(line(device.token, #""id":"\#(mark)","#))
        var found: [DeliveredNotification] = []
        var unacknowledged: [Int] = []
        while true {
            try Task.checkCancellation()
            var stream = try await stream(device)
            // A gateway with short time-outs may consider this reader too slow as well.
            while let next = try? await stream.next().first {
                let isLast = next.id.rawValue.lowercased() == mark.lowercased()
                unacknowledged.append(next.sequence)
                if !isLast && !found.contains(where: { $0.id == next.id }) { found.append(next) }
                guard isLast || unacknowledged.count == 50 else { continue }
                _ = try await acknowledge(.sequences(unacknowledged), device)
                unacknowledged = []
                if isLast { return found }
            }
        }
    }

    /// Sends transient notifications until the gateway drops one, because it knows that the device is disconnected.
    func waitUntilGone(_ device: DeviceCredential) async throws {
        try await waitUntil("the device is disconnected") {
            let receipt = try await send(line(device.token, #""expiration":0,"#))
            return try await settledStatus(of: receipt.id).states == [.dropped: 1]
        }
    }

    /// Reads a stream to its end and returns the end event, which contains the reason.
    func end(of response: HTTPClientResponse) async throws -> StreamEnd {
        var parser = ServerSentEventParser()
        var last: ServerSentEvent?
        for try await piece in response.body { last = try parser.parse(piece.readableBytesView).last ?? last }
        let event = try #require(last)
        #expect(event.type == "end")
        return try JSONDecoder().decode(StreamEnd.self, from: Data(event.data.utf8))
    }
}
