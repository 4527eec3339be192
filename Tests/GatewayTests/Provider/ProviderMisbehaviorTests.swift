import GatewayTestSupport
import NIOCore
import NIOHPACK
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of misbehaving clients: each loses only its own connection to the provider listener.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProviderMisbehaviorTests {
    /// Returns a configuration that has a short request time-out if `misbehavior` keeps the gateway waiting.
    private static func configuration(for misbehavior: Misbehavior) -> GatewayConfiguration {
        var configuration = GatewayConfiguration.forTests
        if misbehavior.keepsWaiting { configuration.requestTimeout = 3 }
        return configuration
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(type: 4)

    /// Returns the bytes of a frame.
    private static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let length = [UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 255), UInt8(payload.count & 255)]
        return length + [type, flags] + (0..<4).reversed().map { UInt8(stream >> (8 * $0) & 255) } + payload
    }

    /// Returns the header block of a request.
    private static func block(_ more: [(String, String)] = []) throws -> [UInt8] {
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
        var buffer = ByteBuffer()
        let headers = HPACKHeaders(
            [(":method", "POST"), (":scheme", "http"), (":path", "/3/device/00ff"), (":authority", "x")] + more
        )
        try encoder.encode(headers: headers, to: &buffer)
        return Array(buffer.readableBytesView)
    }

    /// A kind of misbehavior of a client.
    enum Misbehavior: String, CaseIterable, Sendable {
        case nothing
        case halfAPreface
        case wrongPreface
        case frameOfTheServer
        case endlessHeader
        case headerBomb
        case rapidResets
        case slowBody
        case pingsWithoutReading

        /// Whether only a time-out ends the connection.
        var keepsWaiting: Bool {
            [.nothing, .halfAPreface, .slowBody, .pingsWithoutReading].contains(self)
        }

        func bytes() throws -> [UInt8] {
            let headers = try frame(type: 1, flags: 4, stream: 1, block())
            switch self {
            case .nothing: return []
            case .halfAPreface: return Array(preface.prefix(12))
            case .wrongPreface: return Array("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n".utf8) + frame(type: 4)
            case .frameOfTheServer: return preface + frame(type: 5, flags: 4, stream: 1, [0, 0, 0, 2])
            case .endlessHeader:
                let pieces = (0..<1_000).flatMap { _ in frame(type: 9, stream: 1) }
                return preface + frame(type: 1, stream: 1, try block()) + pieces
            case .headerBomb:
                let value = String(repeating: "x", count: 3_000)
                let bomb = try block([("x", value)]) + [UInt8](repeating: 0x80 | 62, count: 10_000)
                return preface + frame(type: 1, flags: 4, stream: 1, bomb)
            case .rapidResets:
                let block = try block()
                return (0..<2_000).reduce(into: preface) { bytes, number in
                    let stream = UInt32(2 * number + 1)
                    bytes += frame(type: 1, flags: 5, stream: stream, block)
                    bytes += frame(type: 3, stream: stream, [0, 0, 0, 8])
                }
            case .slowBody: return preface + headers + frame(type: 0, stream: 1, [123])
            case .pingsWithoutReading:
                let ping = frame(type: 6, [UInt8](repeating: 1, count: 8))
                return preface + Array(repeating: ping, count: 200_000).joined()
            }
        }

        private var preface: [UInt8] {
            ProviderMisbehaviorTests.preface
        }

        private func frame(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
            ProviderMisbehaviorTests.frame(type: type, flags: flags, stream: stream, payload)
        }

        private func block(_ more: [(String, String)] = []) throws -> [UInt8] {
            try ProviderMisbehaviorTests.block(more)
        }
    }

    @Test(arguments: Misbehavior.allCases)
    func misbehavingClientLosesOnlyItsOwnConnection(_ misbehavior: Misbehavior) async throws {
        let bytes = try misbehavior.bytes()
        try await RunningGateway.run(Self.configuration(for: misbehavior)) { gateway in
            let device = try await gateway.device()
            let socket = try RawSocket(port: try gateway.providerPort, receiveBuffer: 4_096)
            var client = try await ProviderClient(gateway)
            #expect(try await Self.send(to: device.token, with: &client) == 200)
            // The gateway may not read all of the bytes.
            await socket.send(bytes)
            #expect(try await Self.send(to: device.token, with: &client) == 200)
            await socket.waitForHangUp()
            #expect(try await Self.send(to: device.token, with: &client) == 200)
            try await client.close()
        }
    }

    @Test func unfinishedRequestEndsTheConnectionWithIdleTimeout() async throws {
        try await RunningGateway.run(Self.configuration(for: .slowBody)) { gateway in
            var client = try await ProviderClient(gateway)
            _ = try await client.begin([
                ":method": "POST", ":scheme": "http", ":path": "/3/device/00ff", "host": "localhost",
            ])
            let goAways = await client.end().goAways
            #expect(goAways.map(\.body) == [#"{"reason":"IdleTimeout"}"#])
        }
    }

    /// The first bytes reveal HTTP/1.1, and do not give the rest of the head more time.
    @Test func unfinishedHeadOverHTTP1EndsBeforeAnUnfinishedBody() async throws {
        try await RunningGateway.run(Self.configuration(for: .slowBody)) { gateway in
            let port = try gateway.providerPort
            let body = RawSocketBox(try RawSocket(port: port))
            body.send("POST /3/device/00ff HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
            let head = RawSocketBox(try RawSocket(port: port))
            head.send("POST /3/device/00ff HTTP/1.1\r\nx-more: ")
            async let headEnd = head.timeOfHangUp()
            async let bodyEnd = body.timeOfHangUp()
            let (first, second) = await (headEnd, bodyEnd)
            #expect(first + .seconds(1) < second)
        }
    }

    // MARK: Memory

    /// The beginnings of requests with a large body, over HTTP/2 and over HTTP/1.1.
    private static func unfinishedBodies() throws -> [[UInt8]] {
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
        let block = try block()
        let requests = [UInt32(1), 3].flatMap { stream in
            frame(type: 1, flags: 4, stream: stream, block)
                + (0..<4).flatMap { _ in frame(type: 0, stream: stream, piece) }
        }
        let head = "POST /3/device/00ff HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"
        return [preface + requests, Array(head.utf8) + piece + piece]
    }

    @Test(arguments: 0..<2) func unfinishedBodyUsesTheMemoryOfBatches(_ number: Int) async throws {
        let bytes = try Self.unfinishedBodies()[number]
        try await RunningGateway.run { gateway in
            do {
                let client = RawSocketBox(try RawSocket(port: try gateway.providerPort))
                await client.send(bytes)
                try await waitUntil("the body is in memory") {
                    (try await gateway.scrape().value("waypost_intake_bytes") ?? 0) >= 20_000
                }
                withExtendedLifetime(client) {}
            }
            try await waitUntil("the client has left") {
                try await gateway.scrape().value("waypost_intake_bytes") == 0
            }
        }
    }

    @Test(arguments: 0..<2) func unfinishedBodyWithoutMemoryEndsItsConnection(_ number: Int) async throws {
        let bytes = try Self.unfinishedBodies()[number]
        var configuration = GatewayConfiguration.forTests
        configuration.intakeLimits = IntakeBudgetTests.limits(bytes: 100)
        // No time-out ends the connection.
        configuration.requestTimeout = 3_600
        try await RunningGateway.run(configuration) { gateway in
            let device = try await gateway.device()
            let bodies = RawSocketBox(try RawSocket(port: try gateway.providerPort))
            await bodies.send(bytes)
            _ = await bodies.timeOfHangUp()
            var client = try await ProviderClient(gateway)
            #expect(try await Self.send(to: device.token, with: &client) == 200)
            try await client.close()
        }
    }

    @Test func unfinishedTLSHandshakeDoesNotBlockOthersOrShutdown() async throws {
        let certificate = try await TestCertificate("IP:127.0.0.1")
        let socket = try await RunningGateway.run(.withTLS(certificate)) { gateway in
            let device = try await gateway.device()
            let socket = try RawSocket(port: try gateway.securePort)
            // The beginning of an unfinished ClientHello.
            await socket.send([22, 3, 1, 1, 0, 1])
            var client = try await ProviderClient(gateway, trusting: certificate.path)
            #expect(try await Self.send(to: device.token, with: &client) == 200)
            try await client.close()
            return RawSocketBox(socket)
        }
        // The gateway has stopped, and has closed the connection.
        await socket.waitForHangUp()
    }

    @Test func bodyOfUnknownLengthIsRefusedOnceItIsTooLong() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let socket = try RawSocket(port: try gateway.providerPort)
            let head =
                "POST /3/device/\(device.token) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            let chunk = "4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n"
            await socket.send(Array((head + String(repeating: chunk, count: 8) + "0\r\n\r\n").utf8))
            #expect(await socket.read().hasPrefix("HTTP/1.1 4"))
        }
    }

    @Test func upgradeRequestIsAnsweredAndTheConnectionCloses() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let socket = try RawSocket(port: try gateway.providerPort)
            let request =
                "POST /3/device/\(device.token) HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
            socket.send(request + "apns-topic: com.example.clowntown\r\nContent-Length: 10\r\n\r\n{\"aps\":{}}")
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.contains("connection: close"))
        }
    }

    @Test func answerToHEADHasNoBody() async throws {
        try await RunningGateway.run { gateway in
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send("HEAD /3/device/00ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 405"))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func thousandIdleConnectionsDoNotBlockOthers() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            var client = try await ProviderClient(gateway)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        var idle: [ProviderClientBox] = []
                        for _ in 0..<100 { idle.append(ProviderClientBox(try await ProviderClient(gateway))) }
                        for box in idle { try await box.close() }
                    }
                }
                for _ in 0..<20 { #expect(try await Self.send(to: device.token, with: &client) == 200) }
                try await group.waitForAll()
            }
            try await client.close()
        }
    }

    private static func send(to token: DeviceToken, with client: inout ProviderClient) async throws -> Int {
        let headers: HPACKHeaders = [
            ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost",
            "apns-topic": "com.example.clowntown", "apns-push-type": "alert",
        ]
        return try await client.exchange(headers, body: Array(#"{"aps":{"alert":"Honk"}}"#.utf8)).status
    }
}

/// A reference to a socket, which a closure can return.
private final class RawSocketBox: Sendable {
    private let socket: RawSocket

    init(_ socket: consuming RawSocket) {
        self.socket = socket
    }

    func send(_ text: String) {
        socket.send(text)
    }

    func send(_ bytes: [UInt8]) async {
        await socket.send(bytes)
    }

    func waitForHangUp() async {
        await socket.waitForHangUp()
    }

    /// Returns the time at which the other end closes the connection.
    func timeOfHangUp() async -> ContinuousClock.Instant {
        await socket.waitForHangUp()
        return .now
    }
}
