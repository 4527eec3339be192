import Foundation
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of messages to channels and of their recipients.
@Suite(.timeLimit(.minutes(5))) struct BroadcastTests {
    private static let topic: Topic = "com.example.clowntown.push-type.liveactivity"
    private static let now = 1_790_000_000

    /// Registers a device and subscribes it to channels.
    private static func device(_ channels: [ChannelID], _ gateway: RunningGateway) async throws -> DeviceCredential {
        let device = try await gateway.device(topics: [topic])
        let answer = try await subscribe(device.token, channels, gateway)
        #expect(answer.status == 200)
        return device
    }

    private static func subscribe(
        _ token: DeviceToken,
        _ channels: [ChannelID],
        _ gateway: RunningGateway
    ) async throws -> Exchange {
        try await gateway.service(.PUT, "/v1/devices/\(token)/channels", DeviceChannels(channels: channels))
    }

    /// Returns the texts of the messages in a device's inbox.
    private static func inbox(_ device: DeviceCredential, _ gateway: RunningGateway) async throws -> [String] {
        try await gateway.inbox(of: device, markedWith: topic).map { notification in
            let text = String(describing: notification.payload)
            return try #require(text.firstMatch(of: /message [0-9]/)).output.description
        }
    }

    @Test(arguments: Engine.allCases) func messageGoesToEverySubscribedDevice(_ engine: Engine) async throws {
        try await engine.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            let (there, away) = (try await Self.device([channel], gateway), try await Self.device([channel], gateway))
            let other = try await Self.device([], gateway)
            var stream = try await gateway.stream(there)
            let answer = try await client.send("message 1", to: channel)
            #expect(answer.status == 200)
            #expect(answer.frames == ["headers+end"])
            #expect(answer.fields["waypost-message"] == "2 devices are subscribed to the channel")
            let delivered = try #require(try await stream.next().first)
            #expect(delivered.id.rawValue == answer.fields["apns-request-id"])
            #expect(delivered.topic == Self.topic)
            #expect(delivered.pushType == "liveactivity")
            #expect(delivered.collapseID?.rawValue == channel.rawValue)
            #expect(try await Self.inbox(away, gateway) == ["message 1"])
            #expect(try await Self.inbox(other, gateway).isEmpty)
            let unique = try #require(answer.fields["apns-unique-id"])
            let record: NotificationRecord = try await gateway.get("/v1/notifications/\(unique)")
            #expect(record.token == there.token)
            try await client.close()
        }
    }

    @Test(arguments: Engine.allCases) func channelKeepsItsNewestMessageForLaterSubscribers(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            let early = try await Self.device([channel], gateway)
            for number in 1...3 { _ = try await client.send("message \(number)", to: channel) }
            // A transient message does not replace the stored one.
            _ = try await client.send("message 4", to: channel, expiration: 0)
            #expect(try await Self.inbox(early, gateway) == ["message 3"])
            let late = try await Self.device([channel], gateway)
            #expect(try await Self.inbox(late, gateway) == ["message 3"])
            // A device that repeats its subscription does not receive the message again.
            _ = try await Self.subscribe(late.token, [channel], gateway)
            let records = try await gateway.notifications("?token=\(late.token)").notifications
            #expect(records.count { $0.collapseID?.rawValue == channel.rawValue } == 1)
            try await client.close()
        }
    }

    @Test(arguments: Engine.allCases) func channelWithoutStorageReachesOnlyConnectedDevices(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 0)
            let (there, away) = (try await Self.device([channel], gateway), try await Self.device([channel], gateway))
            var stream = try await gateway.stream(there)
            #expect(try await client.send("message 1", to: channel).status == 200)
            #expect(try await stream.next().count == 1)
            #expect(try await client.send("message 2", to: channel, expiration: 0).status == 200)
            #expect(try await stream.next().count == 1)
            let refused = try await client.send("message 3", to: channel, expiration: Self.now + 60)
            #expect(refused.body == #"{"reason":"BadExpirationDate"}"#)
            #expect(try await Self.inbox(away, gateway).isEmpty)
            try await client.close()
        }
    }

    @Test func messageIsKeptForAtMostEightHours() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            let device = try await Self.device([channel], gateway)
            for (asked, kept) in [
                (nil, Self.now + 28_800), (Self.now + 60, Self.now + 60), (Self.now + 90_000, Self.now + 28_800),
            ] as [(Int?, Int)] {
                let answer = try await client.send("message 1", to: channel, expiration: asked)
                let id = try #require(answer.fields["apns-unique-id"])
                let record: NotificationRecord = try await gateway.get("/v1/notifications/\(id)")
                #expect(record.expiration == kept)
                #expect(record.token == device.token)
            }
            try await client.close()
        }
    }

    @Test func deviceCanSubscribeOnlyToExistingChannelsOfItsTopics() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            let device = try await Self.device([channel], gateway)
            let path = "/v1/devices/\(device.token)/channels"
            #expect(try await gateway.get(path, as: DeviceChannels.self).channels == [channel])
            #expect(try await Self.subscribe(device.token, ["bm9uZQ=="], gateway).status == 404)
            let other = try await gateway.device()
            let refused = try await Self.subscribe(other.token, [channel], gateway)
            #expect(refused.status == 409)
            #expect(try refused.error.message.contains(Self.topic.rawValue))
            #expect(try await Self.subscribe("00ff", [channel], gateway).status == 404)
            #expect(try await gateway.service(.GET, "/v1/devices/00ff/channels").status == 404)
            #expect(try await gateway.get(path, as: DeviceChannels.self).channels == [channel])
            try await client.close()
        }
    }

    @Test(arguments: Engine.allCases) func appWithTokensGetsBroadcastsByTheTokenOfTheDevice(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            let device = try await gateway.device(topics: ["com.example.other"])
            #expect(try await Self.subscribe(device.token, [channel], gateway).status == 409)
            let registration = DeviceRegistration(
                name: "iPad",
                topics: [Self.topic],
                secret: device.secret,
                purpose: TokenPurpose(.pushToStart, of: "com.example.clowntown")
            )
            let app: DeviceCredential = try await gateway.service(.POST, "/v1/devices", registration).decoded()
            let refused = try await Self.subscribe(app.token, [channel], gateway)
            #expect(refused.status == 409)
            #expect(try refused.error.message.contains("the push-to-start token of com.example.clowntown"))
            #expect(try await Self.subscribe(device.token, [channel], gateway).status == 200)
            let answer = try await client.send("message 1", to: channel)
            #expect(answer.fields["waypost-message"] == "1 device is subscribed to the channel")
            let delivered = try await gateway.inbox(of: device, markedWith: "com.example.other")
            #expect(delivered.map(\.token) == [device.token])
            #expect(delivered.map(\.topic) == [Self.topic])
            #expect(delivered.map(\.collapseID?.rawValue) == [channel.rawValue])
            // Only broadcasts pass.
            let receipt = try await gateway.send(line(1, device.token, topic: Self.topic))
            #expect(receipt.results.map(\.reason) == ["DeviceTokenNotForTopic"])
            try await client.close()
        }
    }

    @Test func channelsAndSubscriptionsSurviveARestart() async throws {
        let store = try ScratchStore()
        var sources = GatewaySources.forTests()
        sources.randomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        let (channel, device) = try await store.run(sources: sources) { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            let device = try await Self.device([channel], gateway)
            _ = try await client.send("message 1", to: channel)
            try await client.close()
            return (channel, device)
        }
        try await store.run(sources: sources) { gateway in
            let late = try await Self.device([channel], gateway)
            #expect(try await Self.inbox(late, gateway) == ["message 1"])
            var client = try await ChannelClient(gateway)
            #expect(try await client.send("message 2", to: channel).status == 200)
            #expect(try await Self.inbox(device, gateway) == ["message 2"])
            try await client.close()
        }
    }

    @Test func expiredMessageDoesNotReplaceTheStoredOne() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            for (text, expiration) in [("message 1", nil), ("message 2", 1), ("message 3", Self.now)]
                as [(String, Int?)]
            {
                #expect(try await client.send(text, to: channel, expiration: expiration).status == 200)
            }
            let late = try await Self.device([channel], gateway)
            #expect(try await Self.inbox(late, gateway) == ["message 1"])
            try await client.close()
        }
    }

    @Test(arguments: Engine.allCases) func deviceKeepsItsChannelsWhenItsTokenOrTopicsChange(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            var device = try await Self.device([channel], gateway)
            let rotated: RegisteredDevice = try await gateway.service(
                .POST,
                "/v1/devices/\(device.token)/rotation",
                TokenRotation(token: "c0ffee")
            ).decoded()
            device.token = rotated.token
            _ = try await client.send("message 1", to: channel)
            #expect(try await Self.inbox(device, gateway) == ["message 1"])
            // While the device has other topics, it receives no message but stays subscribed.
            for topics in [["com.example.clowntown"], [Self.topic]] as [[Topic]] {
                _ = try await gateway.service(.PUT, "/v1/devices/c0ffee/topics", DeviceTopics(topics: topics))
                _ = try await client.send("message 2", to: channel)
            }
            #expect(try await Self.inbox(device, gateway) == ["message 2"])
            _ = try await gateway.service(.DELETE, "/v1/devices/c0ffee")
            #expect(try await Self.subscribe("c0ffee", [channel], gateway).status == 409)
            try await client.close()
        }
    }

    @Test(arguments: Engine.allCases) func resetDeletesAllChannelsDespiteConcurrentMessages(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await gateway.service(.DELETE, "/v1/namespaces/default") }
                for number in 1...9 { _ = try await client.send("message \(number)", to: channel) }
                try await group.waitForAll()
            }
            let listed = try await client.exchange("GET", "/1/apps/com.example.clowntown/all-channels")
            #expect(listed.body == #"{"channels":[]}"#)
            #expect(try await client.send("message 1", to: channel).body == #"{"reason":"ChannelNotRegistered"}"#)
            try await client.close()
        }
    }

    @Test func messageReportsAtMost16Findings() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            _ = try await Self.device([channel], gateway)
            let keys = (0..<300).map { "\"k\($0)\":0" }.joined(separator: ",")
            let fields = [("apns-channel-id", channel.rawValue), ("apns-push-type", "liveactivity")]
            let path = "/4/broadcasts/apps/com.example.clowntown"
            let answer = try await client.exchange("POST", path, fields, body: #"{"aps":{\#(keys)}}"#)
            #expect(answer.status == 200)
            let id = try #require(answer.fields["apns-request-id"])
            let record: NotificationRecord = try await gateway.get("/v1/notifications/\(id)")
            #expect(record.findings?.count == 16)
            try await client.close()
        }
    }

    @Test func concurrentSubscriberReceivesTheNewestMessageLast() async throws {
        try await RunningGateway.run { gateway in
            var client = try await ChannelClient(gateway)
            let channel = try await client.create(policy: 1)
            let devices = try await withThrowingTaskGroup(of: DeviceCredential.self) { group in
                for _ in 0..<20 { group.addTask { try await Self.device([channel], gateway) } }
                for number in 1...9 { _ = try await client.send("message \(number)", to: channel) }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for device in devices { #expect(try await Self.inbox(device, gateway).last == "message 9") }
            try await client.close()
        }
    }
}
