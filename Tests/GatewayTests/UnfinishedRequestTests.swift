import Deflate
import GatewayClient
import GatewayTestSupport
import LocalService
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

/// Clients of the service listener that do not finish what they began.
@Suite(.timeLimit(.minutes(5))) struct UnfinishedRequestTests {
    private static func socket(_ gateway: RunningGateway) throws -> RawSocket {
        let port = try #require(gateway.ready.service.split(separator: ":").last.flatMap { UInt16($0) })
        return try RawSocket(port: port)
    }

    @Test(arguments: [
        "", "POST /v1/batches HTT", "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"to",
    ])
    func connectionIsClosed(_ start: String) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.requestTimeout = 1
        try await RunningGateway.run(configuration) { gateway in
            let socket = try Self.socket(gateway)
            if !start.isEmpty { socket.send(start) }
            // The time limit of the suite ends an endless wait.
            await socket.waitForHangUp()
        }
    }

    @Test func clientWithoutABodyTakesNoRoomForBatches() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.intakeLimits.batches = 1
        try await RunningGateway.run(configuration) { gateway in
            let socket = try Self.socket(gateway)
            socket.send(
                "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
            )
            #expect(await socket.read(until: "100 Continue").hasPrefix("HTTP/1.1 100 Continue"))
            let device = try await gateway.device()
            _ = try await gateway.send(line(device.token))
        }
    }

    @Test func waitEndsWithItsClient() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.send(line(device.token))
            let waiting = try Self.socket(gateway)
            let leaving = try Self.socket(gateway)
            let path = "/v1/batches/\(receipt.id)?wait=settled&timeout=60s"
            let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            waiting.send(request)
            leaving.send(request)
            leaving.endSending()
            let early = await leaving.read(until: "\"states\"")
            #expect(early.contains("\"stored\":1"), "\(early)")
            // The other client, which is still there, gets what happens later.
            _ = try await gateway.service(.DELETE, "/v1/devices/\(device.token)")
            let late = await waiting.read(until: "\"states\"")
            #expect(late.contains("\"unregistered\":1"), "\(late)")
        }
    }

    @Test func waitEndsAlsoIfNobodyReadsTheBody() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.clock = .manual
        try await RunningGateway.run(configuration) { gateway in
            let socket = try Self.socket(gateway)
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: nil)
            let now = try await client.clock().now
            socket.send("GET /v1/clock?follower=a&after=\(now.rawValue)&timeout=60s HTTP/1.1\r\nHost: localhost\r\n")
            socket.send("Transfer-Encoding: chunked\r\n\r\n" + String(repeating: "1\r\nx\r\n", count: 20))
            let moved = Timestamp(milliseconds: now.rawValue + 1)
            _ = try await client.advanceClock(ClockAdvance(to: moved))
            #expect(await socket.read(until: "\(moved.rawValue)").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test(arguments: ["/v1/batches", "/v1/devices"]) func oldProtocolHasNoTransferCoding(_ path: String) async throws {
        try await RunningGateway.run { gateway in
            let socket = try Self.socket(gateway)
            socket.send("POST \(path) HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        }
    }
}
