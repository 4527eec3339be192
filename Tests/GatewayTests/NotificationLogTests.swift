import Gateway
import GatewayTestSupport
import NIOHTTP1
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite(.timeLimit(.minutes(5))) struct NotificationLogTests {
    @Test(arguments: Engine.allCases) func historyOfANotificationHasEveryStateWithItsTime(
        _ engine: Engine
    ) async throws {
        let clock = MovingClock()
        var sources = GatewaySources.forTests()
        sources.now = clock.now
        try await engine.run(sources: sources) { gateway in
            let device = try await gateway.device()
            let start = clock.now().rawValue
            let receipt = try await gateway.send(line(1, device.token, #""collapseID":"c","priority":5,"#))
            clock.advance(seconds: 3)
            var stream = try await gateway.stream(device)
            let delivered = try await stream.next()
            clock.advance(seconds: 4)
            _ = try await gateway.acknowledge(.upTo(delivered[0].sequence), device)
            let expected = NotificationRecord(
                sequence: delivered[0].sequence,
                id: .numbered(1),
                batch: receipt.id,
                token: device.token,
                topic: "com.example.clowntown",
                pushType: .alert,
                priority: 5,
                collapseID: "c",
                state: .acknowledged,
                attempts: 1,
                history: [
                    DeliveryStep(.accepted, at: Timestamp(milliseconds: start)),
                    DeliveryStep(.stored, at: Timestamp(milliseconds: start)),
                    DeliveryStep(.sent, at: Timestamp(milliseconds: start + 3_000)),
                    DeliveryStep(.acknowledged, at: Timestamp(milliseconds: start + 7_000)),
                ],
                findings: HeaderCheck(pushType: .alert, topic: "com.example.clowntown", priority: 5, expiration: nil)
                    .findings(at: nil)
            )
            #expect(try await gateway.notification(.numbered(1)) == expected)
            #expect(try await gateway.notifications() == NotificationPage(notifications: [expected]))
        }
    }

    @Test(arguments: Engine.allCases) func unacknowledgedNotificationIsSentAndRedeliveryIsASecondAttempt(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token))
            try await Self.expectSent(attempts: 1, device, gateway)
            try await waitUntil("the stream has closed") {
                try await gateway.notification(.numbered(1)).state == .stored
            }
            // The log receives the number of attempts a while after the stream has closed.
            try await waitUntil("the attempt counts") {
                try await gateway.notification(.numbered(1)).attempts == 1
            }
            #expect(try await gateway.notification(.numbered(1)).history.map(\.state) == [.accepted, .stored, .sent])
            try await Self.expectSent(attempts: 2, device, gateway)
        }
    }

    /// Opens a stream, and expects that the gateway sends the only notification on it.
    static func expectSent(attempts: Int, _ device: DeviceCredential, _ gateway: RunningGateway) async throws {
        var stream = try await gateway.stream(device)
        #expect(try await stream.next().count == 1)
        let record = try await gateway.notification(.numbered(1))
        #expect(record.state == .sent)
        #expect(record.attempts == attempts)
        #expect(record.history.map(\.state) == [.accepted, .stored, .sent])
        #expect(try await gateway.notifications("?state=sent").notifications == [record])
        #expect(try await gateway.notifications("?state=stored").notifications.isEmpty)
    }

    @Test(arguments: Engine.allCases) func transientNotificationIsNeverStored(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token, #""expiration":0,"#))
            #expect(try await gateway.notification(.numbered(1)).history.map(\.state) == [.accepted, .dropped])
            var stream = try await gateway.stream(device)
            try await gateway.send(line(2, device.token, #""expiration":0,"#))
            let delivered = try await stream.next()
            #expect(try await gateway.notification(.numbered(2)).history.map(\.state) == [.accepted, .sent])
            #expect(try await gateway.notifications("?state=sent").notifications.map(\.number) == [2])
            #expect(try await gateway.notifications("?state=accepted").notifications.isEmpty)
            _ = try await gateway.acknowledge(.sequences(delivered.map(\.sequence)), device)
            let record = try await gateway.notification(.numbered(2), "?wait=acknowledged")
            #expect(record.history.map(\.state) == [.accepted, .sent, .acknowledged])
            #expect(record.attempts == 1)
        }
    }

    @Test(arguments: Engine.allCases) func everyWayOutOfAnInboxIsLogged(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            let leaving = try await gateway.device()
            let soon = try await gateway.get("/v1/clock", as: ClockReading.self).now.seconds + 10
            try await gateway.send(
                line(1, device.token, #""collapseID":"c","#) + line(2, device.token, #""collapseID":"c","#)
                    + line(3, device.token, #""expiration":\#(soon),"#) + line(4, leaving.token)
                    + line(5, device.token, #""expiration":1,"#) + line(6, device.token)
            )
            _ = try await gateway.service(.DELETE, "/v1/devices/\(leaving.token)")
            _ = try await gateway.service(.POST, "/v1/clock/advance", ClockAdvance(by: 10_000))
            let states = try await gateway.notifications().notifications.map(\.state)
            #expect(states == [.collapsed, .stored, .expired, .unregistered, .expired, .stored])
            let stories = try await gateway.notifications("?state=expired").notifications.map {
                $0.history.map(\.state)
            }
            #expect(stories == [[.accepted, .stored, .expired], [.accepted, .expired]])
        }
    }

    @Test(arguments: Engine.allCases) func rejectedItemsAreLoggedWithTheirReason(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.send(
                line(1, "00ff") + "nonsense\n" + line(2, device.token)
                    + line(3, device.token, topic: "com.example.other")
                    + line(4, device.token, #""priority":7,"#)
            )
            // Items that are rejected before they reach the store follow the rest of their batch.
            let records = try await gateway.notifications().notifications
            #expect(records.map(\.number) == [1, 2, 3, nil, 4])
            #expect(records.map(\.state) == [.rejected, .stored, .rejected, .rejected, .rejected])
            #expect(records.map(\.batch) == Array(repeating: receipt.id, count: 5))
            let reasons = records.map(\.reason)
            #expect(reasons == [.badDeviceToken, nil, .deviceTokenNotForTopic, .badRequestPayload, .badPriority])
            #expect(records.map { $0.message == nil } == [false, true, false, false, false])
            #expect(records[0].token == "00ff")
            #expect(records[0].history.map(\.state) == [.rejected])
            #expect(try await gateway.notification(.numbered(4), "?wait=acknowledged").state == .rejected)
        }
    }

    @Test(arguments: Engine.allCases) func newTokenFindsNotificationsOfThePreviousToken(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token))
            let rotation = TokenRotation(token: "c0ffee")
            _ = try await gateway.service(.POST, "/v1/devices/\(device.token)/rotation", rotation)
            let found = try await gateway.notifications("?token=c0ffee").notifications
            #expect(found.map(\.number) == [1])
            #expect(found.map(\.token) == ["c0ffee"])
        }
    }

    @Test(arguments: Engine.allCases) func namespaceHasItsOwnLog(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let here = try await gateway.device(in: "here")
            try await gateway.send(line(1, here.token), in: "here")
            #expect(try await gateway.notifications(in: "here").notifications.map(\.number) == [1])
            #expect(try await gateway.notifications().notifications.isEmpty)
            #expect(try await gateway.service(.GET, "/v1/notifications/\(NotificationID.numbered(1))").status == 404)
            _ = try await gateway.service(.DELETE, "/v1/namespaces/here")
            #expect(try await gateway.notifications(in: "here").notifications.isEmpty)
        }
    }

    @Test func logSurvivesARestart() async throws {
        let store = try ScratchStore()
        let (device, before) = try await store.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token) + line(2, device.token) + line(3, "00ff"))
            var stream = try await gateway.stream(device)
            let delivered = try await stream.next(2)
            _ = try await gateway.acknowledge(.sequences([delivered[0].sequence]), device)
            return (device, try await gateway.notifications().notifications)
        }
        #expect(before.map(\.state) == [.acknowledged, .sent, .rejected])
        try await store.run { gateway in
            let after = try await gateway.notifications().notifications
            #expect(after.map(\.state) == [.acknowledged, .stored, .rejected])
            #expect(after.map(\.history) == before.map(\.history))
            #expect(after.map(\.attempts) == [1, 1, 0])
            #expect(after[2].reason == .badDeviceToken)
            try await gateway.send(line(4, device.token))
            #expect(try await gateway.notifications("?after=\(after[2].sequence)").notifications.map(\.number) == [4])
        }
    }

    @Test func newestOfSeveralNotificationsWithOneIdentifierIsShown() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token, #""expiration":0,"#))
            let second = try await gateway.send(line(1, device.token))
            let record = try await gateway.notification(.numbered(1))
            #expect(record.batch == second.id)
            #expect(record.state == .stored)
            #expect(try await gateway.notifications().notifications.count == 2)
        }
    }

    @Test func identifierCanBePercentEncoded() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token))
            let path =
                "/v1/notifications/"
                + NotificationID.numbered(1).rawValue.split(separator: "-").joined(separator: "%2d")
            #expect(try await gateway.service(.GET, path).status == 200)
        }
    }

    @Test(arguments: ["/v1/notifications", "/v1/notifications/x"])
    func otherMethodsGet405WithAllow(_ path: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.DELETE, path)
            #expect(answer.status == 405)
            #expect(answer.headers.first(name: "allow") == "GET, HEAD")
        }
    }
}
