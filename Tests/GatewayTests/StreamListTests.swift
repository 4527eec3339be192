import Foundation
import GatewayClient
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

/// `/v1/streams`: the open event streams.
@Suite(.timeLimit(.minutes(5))) struct StreamListTests {
    @Test(arguments: Engine.allCases) func streamsAreListedInPagesWithTheirDevices(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let pad = try await gateway.device()
            let watch = try await gateway.device(secret: pad.secret)
            let phone = try await gateway.device()
            let elsewhere = try await gateway.device(in: "run")
            _ = try await gateway.device()
            let streams = [
                try await gateway.open(pad), try await gateway.open(phone), try await gateway.open(elsewhere),
            ]
            let first: StreamPage = try await gateway.get("/v1/streams?limit=1")
            let tokens = [pad.token, watch.token].sorted { $0.rawValue < $1.rawValue }
            #expect(first.streams.map { $0.devices.map(\.token) } == [tokens])
            #expect(first.streams.map { $0.devices.map(\.name) } == [["iPad", "iPad"]])
            let next = try #require(first.next)
            let second: StreamPage = try await gateway.get("/v1/streams?limit=1&after=\(next)")
            #expect(second.streams.map { $0.devices.map(\.token) } == [[phone.token]])
            #expect(second.next == nil)
            let other: StreamPage = try await gateway.get("/v1/streams", in: "run")
            #expect(other.streams.map { $0.devices.map(\.token) } == [[elsewhere.token]])
            withExtendedLifetime(streams) {}
        }
    }

    @Test(arguments: Engine.allCases) func unacknowledgedNotificationsAreCounted(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            var stream = try await gateway.stream(device)
            try await gateway.send(line(1, device.token) + line(2, device.token, #""expiration":0,"#))
            _ = try await stream.next(2)
            let page: StreamPage = try await gateway.get("/v1/streams")
            #expect(page.streams.map(\.unacknowledged) == [2])
            #expect(page.streams.allSatisfy { $0.age >= 0 })
            withExtendedLifetime(stream) {}
        }
    }

    @Test(arguments: Engine.allCases) func disconnectedStreamEndsAndLosesNothing(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token))
            var ended = LogStream(try await gateway.open(device))
            #expect(try await ended.nextEvent()?.type == "notification")
            let page: StreamPage = try await gateway.get("/v1/streams")
            let path = "/v1/streams/\(try #require(page.streams.first?.agent))"
            let elsewhere = RunningGateway.headers("run")
            #expect(try await gateway.service(.DELETE, path, headers: elsewhere).status == 404)
            #expect(try await gateway.service(.DELETE, path).status == 204)
            let end = try #require(try await ended.nextEvent())
            #expect(end.type == "end")
            #expect(end.data.contains(#""reason":"disconnected""#))
            var stream = try await gateway.stream(device)
            #expect(try await stream.next().map(\.id) == [.numbered(1)])
        }
    }

    @Test(arguments: ["9", "x", "99999999999999999999", "-1"])
    func streamThatIsNotOpenIsNotFound(_ agent: String) async throws {
        try await RunningGateway.run { gateway in
            _ = try await gateway.device()
            let answer = try await gateway.service(.DELETE, "/v1/streams/\(agent)")
            #expect(answer.status == 404)
            #expect(try answer.error.code == "unknownStream")
        }
    }
}
