import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct StorageModeTests {
    static let clowns: Topic = "com.example.clowntown"

    static func items(_ token: DeviceToken, _ numbers: [Int], topic: Topic = clowns) -> String {
        numbers.map { line(token, topic: topic, payload: #"{"n":\#($0)}"#) }.joined()
    }

    static func numbers(_ notifications: [DeliveredNotification]) -> [JSONValue?] {
        notifications.map { $0.payload["n"] }
    }

    @Test(arguments: Engine.allCases) func apnsModeKeepsTheNewestOfEachTopicForAnOfflineDevice(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(topics: [Self.clowns, "com.example.queue", .messages])
            #expect(try await gateway.setStorage(.apns).status == 200)
            let items =
                Self.items(device.token, [1, 2]) + Self.items(device.token, [3, 4], topic: "com.example.queue")
                + Self.items(device.token, [5])
            let receipt = try await gateway.send(items)
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 3, .collapsed: 2])
            #expect(
                Self.numbers(try await gateway.inbox(of: device, markedWith: .messages))
                    == [3, 4, 5].map { .integer($0) }
            )
        }
    }

    @Test(arguments: Engine.allCases) func apnsModeDeliversAllToAConnectedDeviceAndThenKeepsTheNewest(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            _ = try await gateway.setStorage(.apns)
            let receipt = try await Self.deliverThree(device, gateway)
            try await gateway.wait(for: [.acknowledged: 1, .collapsed: 1, .stored: 1], of: receipt.id)
            var stream = try await gateway.stream(device)
            #expect(Self.numbers(try await stream.next()) == [.integer(2)])
        }
    }

    /// Delivers three notifications on a stream, acknowledges the last one and closes the stream.
    static func deliverThree(_ device: DeviceCredential, _ gateway: RunningGateway) async throws -> BatchReceipt {
        var stream = try await gateway.stream(device)
        let receipt = try await gateway.send(items(device.token, [1, 2, 3]))
        let delivered = try await stream.next(3)
        #expect(numbers(delivered) == [1, 2, 3].map { .integer($0) })
        #expect(try await gateway.status(of: receipt.id).states == [.sent: 3])
        let acknowledged = try await gateway.acknowledge(.sequences([delivered[2].sequence]), device).acknowledged
        #expect(acknowledged == 1)
        return receipt
    }

    @Test(arguments: Engine.allCases) func losslessModeKeepsAllButReplacedNotifications(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.send(
                Self.items(device.token, [1, 2]) + line(device.token, #""collapseID":"crusty","#)
                    + line(device.token, #""collapseID":"crusty","#, payload: #"{"n":3}"#)
            )
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 3, .collapsed: 1])
            #expect(Self.numbers(try await gateway.inbox(of: device)) == [1, 2, 3].map { .integer($0) })
        }
    }

    /// The notifications that a device got and APNs would have replaced, in a list and alone.
    @Test(arguments: Engine.allCases) func losslessModeSaysWhatADeviceWouldNotHaveReceived(
        _ engine: Engine
    ) async throws {
        var sources = GatewaySources.forTests()
        sources.now = MovingClock().now
        try await engine.run(.forTests.withManualClock, sources: sources) { gateway in
            let device = try await gateway.device()
            for number in 1...2 {
                try await gateway.send(line(number, device.token, #""expiration":4000000000,"#))
                try await ManualClockTests.advance(gateway, ClockAdvance(by: 1_000))
            }
            var stream = try await gateway.stream(device)
            _ = try await stream.next(2)
            try await gateway.send(line(3, device.token, #""expiration":4000000000,"#))
            _ = try await stream.next()
            let page: NotificationPage = try await gateway.get("/v1/notifications?after=0")
            #expect(page.notifications.map { $0.findings?.map(\.code) } == [[.onlyNewest], nil, nil])
            for number in 1...3 {
                let codes = try await gateway.notification(.numbered(number)).findings?.map(\.code)
                #expect(codes == (number == 1 ? [.onlyNewest] : nil))
            }
        }
    }

    @Test(arguments: Engine.allCases) func changedModeTakesEffectImmediately(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.send(Self.items(device.token, [1, 2, 3]))
            _ = try await gateway.setStorage(.apns)
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 1, .collapsed: 2])
            _ = try await gateway.setStorage(.lossless)
            try await gateway.send(Self.items(device.token, [4, 5]))
            #expect(Self.numbers(try await gateway.inbox(of: device)) == [3, 4, 5].map { .integer($0) })
        }
    }

    @Test(arguments: Engine.allCases) func chosenModeIsReported(_ engine: Engine) async throws {
        try await engine.run { gateway in
            #expect(try await gateway.get("/v1/apps", as: [AppSettings].self).isEmpty)
            let chosen = try await gateway.setStorage(.apns).decoded(as: AppSettings.self)
            #expect(chosen == AppSettings(topic: Self.clowns, storage: .apns))
            #expect(try await gateway.get("/v1/apps/\(Self.clowns)") == chosen)
            #expect(try await gateway.get("/v1/apps") == [chosen])
            let other: AppSettings = try await gateway.get("/v1/apps/com.example.other")
            #expect(other == AppSettings(topic: "com.example.other", storage: .lossless))
            #expect(try await gateway.get("/v1/apps", in: "other", as: [AppSettings].self).isEmpty)
        }
    }

    @Test(arguments: Engine.allCases) func messagesAreAlwaysLossless(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let refusal = try await gateway.setStorage(.apns, for: .messages)
            #expect(refusal.status == 409)
            #expect(try refusal.error.code == "alwaysLossless")
            #expect(try await gateway.setStorage(.lossless, for: .messages).status == 200)
            let device = try await gateway.device(topics: [.messages])
            let receipt = try await gateway.send(Self.items(device.token, [1, 2], topic: .messages))
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 2])
        }
    }

    @Test(arguments: [(65_536, 200), (65_537, 413)]) func messageCanHaveAPayloadOf64KiB(
        _ size: Int,
        _ status: Int
    ) async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(topics: [.messages])
            let payload = RejectedItemTests.payload(bytes: size)
            let results = try await gateway.send(
                line(device.token, topic: .messages, payload: payload),
                query: "?results=all"
            ).results
            #expect(results.map(\.status) == [status])
            guard status == 200 else { return }
            var stream = try await gateway.stream(device)
            #expect(try await stream.next().count == 1)
        }
    }

    @Test func topicInThePathIsPercentDecoded() async throws {
        try await RunningGateway.run { gateway in
            let topic: Topic = "com.example.clown town/é"
            let path = "/v1/apps/com.example.clown%20town%2F%C3%A9"
            let chosen = try await gateway.service(.PUT, path, AppSettingsChange(storage: .apns))
                .decoded(as: AppSettings.self)
            #expect(chosen == AppSettings(topic: topic, storage: .apns))
        }
    }

    @Test(arguments: ["", "{}", #"{"storage":"forever"}"#]) func unknownModeIsRefused(_ body: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.PUT, "/v1/apps/\(Self.clowns)", body: Array(body.utf8))
            #expect(answer.status == 400)
            #expect(try answer.error.code == "malformedBody")
        }
    }
}
