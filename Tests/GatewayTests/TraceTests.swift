import Foundation
import GatewayTestSupport
import NIOHPACK
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

/// The traces of senders (W3C Trace Context).
@Suite(.timeLimit(.minutes(5))) struct TraceTests {
    private static let trace: TraceID = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent: TraceParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let header = ("traceparent", parent.rawValue)

    @Test(arguments: Engine.allCases)
    func everyItemOfABatchBelongsToTheTraceOfItsRequest(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let items = line(1, device.token) + line(2, device.token, topic: "com.example.other") + "x\n"
            _ = try await gateway.batch(Array(items.utf8), headers: [Self.header])
            try await gateway.send(line(3, device.token))
            let page = try await gateway.notifications("?trace=\(Self.trace)")
            #expect(page.notifications.map(\.state) == [.stored, .rejected, .rejected])
            #expect(page.notifications.map(\.traceparent) == [Self.parent, Self.parent, Self.parent])
            #expect(try await gateway.notifications().notifications.last?.traceparent == nil)
            #expect(try await gateway.notifications("?trace=\(Self.parent)&after=0").notifications.count == 3)
            #expect(
                try await gateway.notifications("?trace=\(Self.trace)&token=\(device.token)").notifications.count == 2
            )
            let other = String(repeating: "a", count: 32)
            #expect(try await gateway.notifications("?trace=\(other)").notifications.isEmpty)
        }
    }

    @Test(arguments: Engine.allCases) func deviceGetsTheTrace(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            _ = try await gateway.batch(Array(line(1, device.token).utf8), headers: [Self.header])
            var stream = try await gateway.stream(device)
            #expect(try await stream.next().map(\.traceparent) == [Self.parent])
            // The log keeps it when the notification leaves the inbox.
            let sequence = try #require(try await gateway.notifications().notifications.first?.sequence)
            _ = try await gateway.acknowledge(.sequences([sequence]), device)
            let ended = try await gateway.notifications("?trace=\(Self.trace)&state=acknowledged")
            #expect(ended.notifications.map(\.traceparent) == [Self.parent])
            // A transient notification goes to the stream without an inbox.
            let transient = line(2, device.token, #""expiration":0,"#)
            _ = try await gateway.batch(Array(transient.utf8), headers: [Self.header])
            #expect(try await stream.next().map(\.traceparent) == [Self.parent])
            withExtendedLifetime(stream) {}
        }
    }

    @Test func requestOfAProviderHasATrace() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            var client = try await ProviderClient(gateway)
            for topic in ["com.example.clowntown", "com.example.other"] {
                let headers = Self.request(to: device.token, for: topic, Self.parent.rawValue)
                _ = try await client.exchange(headers, body: Array(#"{"aps":{"badge":1}}"#.utf8))
            }
            // The refused one has a batch of its own, which may be stored later.
            var found: [NotificationRecord] = []
            while found.count < 2 { found = try await gateway.notifications("?trace=\(Self.trace)").notifications }
            #expect(Set(found.map(\.state)) == [.stored, .rejected])
            try await client.close()
        }
    }

    @Test(arguments: ["", "x", "00-0-0-00"])
    func invalidHeaderIsIgnoredWithAFinding(_ text: String) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.isStrict = true
        try await RunningGateway.run(configuration) { gateway in
            let device = try await gateway.device()
            let answer = try await gateway.batch(Array(line(1, device.token).utf8), headers: [("traceparent", text)])
            #expect(answer.status == 200)
            let refused = line(2, device.token, topic: "com.example.other")
            _ = try await gateway.batch(Array(refused.utf8), headers: [("traceparent", text)])
            #expect(try await gateway.notification(.numbered(2)).findings?.map(\.code) == [.invalidTraceparent])
            let record = try await gateway.notification(.numbered(1))
            #expect(record.findings?.map(\.code) == [.invalidTraceparent, .missingExpiration])
            #expect(record.traceparent == nil)
            var client = try await ProviderClient(gateway)
            let headers = Self.request(to: device.token, for: "com.example.clowntown", text)
            let sent = try await client.exchange(headers, body: Array(#"{"aps":{"badge":1}}"#.utf8))
            // A strict gateway does not refuse it either: section 3.2 of W3C Trace Context forbids that.
            #expect(sent.status == 200)
            #expect(sent.fields["waypost-findings"] == "invalidTraceparent")
            try await client.close()
        }
    }

    @Test(arguments: ["", "x", "4bf92f35"]) func otherTextThanATraceIsRefused(_ text: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.GET, "/v1/notifications?trace=\(text)")
            #expect(answer.status == 400)
            #expect(try answer.error.message.contains("32 hexadecimal digits"))
        }
    }

    @Test func linesOfARequestContainItsTrace() async throws {
        let lines = try await LoggedGateway.lines { gateway in
            let device = try await gateway.device()
            _ = try await gateway.batch(Array(line(1, device.token).utf8), headers: [Self.header])
            var client = try await ProviderClient(gateway)
            let headers = Self.request(to: device.token, for: "com.example.other", Self.parent.rawValue)
            _ = try await client.exchange(headers, body: Array(#"{"aps":{"badge":1}}"#.utf8))
            try await client.close()
        }
        let traced = lines.logged.filter { $0.metadata["trace_id"] == Self.trace.rawValue }
        #expect(traced.map(\.message) == ["request", "provider request"])
        #expect(traced.map { $0.metadata["span_id"] } == ["00f067aa0ba902b7", "00f067aa0ba902b7"])
        #expect(traced.last?.metadata["reason"] == "DeviceTokenNotForTopic")
    }

    @Test func messageOfAChannelHasATraceForLaterSubscribersToo() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            let path = "/4/broadcasts/apps/com.example.clowntown"
            let fields = [("apns-channel-id", channel.rawValue), ("apns-push-type", "liveactivity"), Self.header]
            _ = try await client.exchange("POST", path, fields, body: #"{"aps":{"event":"update","timestamp":1}}"#)
            let device = try await gateway.device(topics: ["com.example.clowntown.push-type.liveactivity"])
            let subscription = DeviceChannels(channels: [channel])
            let subscribed = try await gateway.service(.PUT, "/v1/devices/\(device.token)/channels", subscription)
            #expect(subscribed.status == 200)
            var stream = try await gateway.stream(device)
            #expect(try await stream.next().map(\.traceparent) == [Self.parent])
            try await client.close()
        }
    }

    private static func request(to token: DeviceToken, for topic: String, _ traceparent: String) -> HPACKHeaders {
        [
            ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost",
            "apns-topic": topic, "apns-push-type": "alert", "traceparent": traceparent,
        ]
    }
}
