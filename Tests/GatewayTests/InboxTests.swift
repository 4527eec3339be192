import Foundation
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

/// `/v1/devices/{token}/inbox`: the notifications that wait for a device.
@Suite(.timeLimit(.minutes(5))) struct InboxTests {
    @Test(arguments: Engine.allCases) func inboxIsListedInPagesWithPayloads(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            // A device of the same agent has an inbox of its own.
            let other = try await gateway.device(secret: device.secret)
            let payload = #"{"aps":{"alert":"Größe"},"n":1.50}"#
            try await gateway.send(
                line(1, device.token) + line(2, other.token) + line(3, device.token)
                    + line(device.token, #""collapseID":"c","#, payload: payload)
            )
            let first: InboxPage = try await gateway.get("/v1/devices/\(device.token)/inbox?limit=2")
            #expect(first.notifications.map(\.notification.id) == [.numbered(1), .numbered(3)])
            #expect(first.notifications.map(\.state) == [.stored, .stored])
            let next = try #require(first.next)
            #expect(next == first.notifications.last?.notification.sequence)
            let second: InboxPage = try await gateway.get("/v1/devices/\(device.token)/inbox?limit=2&after=\(next)")
            let last = try #require(second.notifications.first?.notification)
            #expect(last.payload == (try JSONDecoder().decode(JSONValue.self, from: Data(payload.utf8))))
            #expect(last.collapseID == "c")
            #expect(second.next == nil)
        }
    }

    /// A page has about 2 MiB of payloads, however many notifications the client asks for.
    @Test(arguments: Engine.allCases) func largePayloadsMakeShorterPages(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(topics: [.messages])
            let payload = #"{"x":"\#(String(repeating: "x", count: 60_000))"}"#
            try await gateway.send(
                String(repeating: line(device.token, topic: .messages, payload: payload), count: 70)
            )
            let path = "/v1/devices/\(device.token)/inbox?limit=1000"
            var (sizes, cursor): ([Int], Int?) = ([], 0)
            while let start = cursor {
                let page: InboxPage = try await gateway.get("\(path)&after=\(start)")
                sizes.append(page.notifications.count)
                cursor = page.next
            }
            #expect(sizes == [64, 6])
        }
    }

    @Test(arguments: Engine.allCases) func listingSaysWhatWasSentAndWhatIsHeld(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.setPower(of: device.token, isLowPowerModeEnabled: true)
            try await gateway.send(line(1, device.token) + line(2, device.token, #""priority":5,"#))
            var stream = try await gateway.stream(device)
            #expect(try await stream.next().map(\.id) == [.numbered(1)])
            let page: InboxPage = try await gateway.get("/v1/devices/\(device.token)/inbox")
            #expect(page.notifications.map(\.state) == [.sent, .stored])
            #expect(page.notifications.map(\.held) == [false, true])
            withExtendedLifetime(stream) {}
        }
    }

    @Test(arguments: Engine.allCases) func purgedNotificationsEndAsDropped(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(topics: ["com.example.clowntown", "com.example.tv"])
            let batch = try await gateway.send(
                line(1, device.token) + line(2, device.token, topic: "com.example.tv") + line(3, device.token)
            )
            let path = "/v1/devices/\(device.token)/inbox"
            let some: InboxPurge = try await gateway.service(.DELETE, path + "?topic=com.example.tv").decoded()
            #expect(some.removed == 1)
            #expect(try await gateway.notification(.numbered(2)).state == .dropped)
            let rest: InboxPurge = try await gateway.service(.DELETE, path).decoded()
            #expect(rest.removed == 2)
            let none: InboxPurge = try await gateway.service(.DELETE, path).decoded()
            #expect(none.removed == 0)
            #expect(try await gateway.settledStatus(of: batch.id).states == [.dropped: 3])
            #expect(try await gateway.inbox(of: device).isEmpty)
        }
    }

    @Test(arguments: Engine.allCases) func openStreamForgetsWhatIsPurged(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            var stream = try await gateway.stream(device)
            try await gateway.send(line(1, device.token))
            #expect(try await stream.next().map(\.id) == [.numbered(1)])
            let purge: InboxPurge = try await gateway.service(.DELETE, "/v1/devices/\(device.token)/inbox").decoded()
            #expect(purge.removed == 1)
            let streams: StreamPage = try await gateway.get("/v1/streams")
            #expect(streams.streams.map(\.unacknowledged) == [0])
            try await gateway.send(line(2, device.token))
            #expect(try await stream.next().map(\.id) == [.numbered(2)])
        }
    }

    @Test func purgeMakesRoomInAFullWindow() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.sessionLimits.window = 2
        try await RunningGateway.run(configuration) { gateway in
            let device = try await gateway.device()
            let other = try await gateway.device(secret: device.secret)
            var stream = try await gateway.stream(device)
            try await gateway.send(line(1, device.token) + line(2, device.token) + line(3, other.token))
            #expect(try await stream.next(2).map(\.id) == [.numbered(1), .numbered(2)])
            _ = try await gateway.service(.DELETE, "/v1/devices/\(device.token)/inbox")
            // Not only with the next heartbeat.
            #expect(try await stream.next().map(\.id) == [.numbered(3)])
        }
    }

    @Test(arguments: ["GET", "DELETE"]) func inboxOfNobodyIsNotFound(_ method: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.init(rawValue: method), "/v1/devices/c0ffee/inbox")
            #expect(answer.status == 404)
            #expect(try answer.error.code == "unknownDevice")
        }
    }
}
