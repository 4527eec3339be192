import GatewayStore
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct NotificationWaitTests {
    @Test(arguments: Engine.allCases) func waitEndsWithTheAcknowledgement(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token))
            async let waited = gateway.notification(.numbered(1), "?wait=acknowledged&timeout=60s")
            var stream = try await gateway.stream(device)
            let delivered = try await stream.next()
            _ = try await gateway.acknowledge(.sequences(delivered.map(\.sequence)), device)
            let record = try await waited
            #expect(record.state == .acknowledged)
            #expect(record.attempts == 1)
        }
    }

    @Test(arguments: Engine.allCases) func clientCanWaitForANotificationBeforeItIsSent(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            async let stored = gateway.notification(.numbered(7), "?wait=stored&timeout=60s")
            async let final = gateway.notification(.numbered(8), "?wait=final&timeout=60s")
            try await gateway.send((1...7).map { line($0, device.token) }.joined())
            #expect(try await stored.state == .stored)
            try await gateway.send(line(8, device.token, #""expiration":0,"#))
            #expect(try await final.state == .dropped)
        }
    }

    /// Additional fields of a notification, a state to wait for, and the state in which the wait ends.
    static let ends: [(more: String, goal: String, state: DeliveryState)] = [
        ("", "accepted", .stored), ("", "stored", .stored), (#""expiration":0,"#, "acknowledged", .dropped),
        (#""expiration":1,"#, "sent", .expired), (#""priority":3,"#, "final", .rejected),
        (#""expiration":0,"#, "final", .dropped),
    ]

    @Test(arguments: Engine.allCases, ends) func waitForAReachedStateIsAnsweredImmediately(
        _ engine: Engine,
        _ end: (more: String, goal: String, state: DeliveryState)
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token, end.more))
            let record = try await gateway.notification(.numbered(1), "?wait=\(end.goal)&timeout=60s")
            #expect(record.state == end.state)
        }
    }

    @Test(arguments: Engine.allCases) func sentStateCountsAsReachedAfterAReturnToStored(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            async let sent = gateway.notification(.numbered(1), "?wait=sent&timeout=60s")
            try await gateway.send(line(1, device.token))
            try await NotificationLogTests.expectSent(attempts: 1, device, gateway)
            #expect(try await sent.hasReached(.sent))
            let record = try await gateway.notification(.numbered(1), "?wait=sent&timeout=60s")
            #expect(record.history.map(\.state) == [.accepted, .stored, .sent])
        }
    }

    @Test(arguments: Engine.allCases) func waitEndsWhenTheNotificationExpires(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            let soon = try await gateway.get("/v1/clock", as: ClockReading.self).now.seconds + 10
            try await gateway.send(line(1, device.token, #""expiration":\#(soon),"#))
            async let expired = gateway.notification(.numbered(1), "?wait=final&timeout=60s")
            _ = try await gateway.service(.POST, "/v1/clock/advance", ClockAdvance(by: 10_000))
            #expect(try await expired.history.map(\.state) == [.accepted, .stored, .expired])
        }
    }

    /// This wait has no time-out, so only the signal can end it.
    @Test func signalEndsAWait() async throws {
        let log = try GatewayServices.forTests().log
        async let waiting: Void = log.wait(for: .state(.stored), of: .numbered(1), in: .standard)
        try await waitUntil("the wait has begun") { log.delivery.followers.count > 0 }
        let item = NewNotification(id: .numbered(1), token: "00ff", topic: "a", payload: Array("{}".utf8))
        let batch = NewBatch(id: "b", namespace: .standard, notifications: [item])
        guard
            case .appended(let appended) = try await log.delivery.store.store.append(
                batch,
                at: Timestamp(milliseconds: 1)
            )
        else {
            return #expect(Bool(false))
        }
        log.delivery.followers.recordChanges(of: try #require(appended.logSequences), in: .standard)
        // The notification was rejected and will never be stored.
        try await waiting
        #expect(log.delivery.followers.count == 0)
    }

    @Test(arguments: DeliveryState.allCases, DeliveryState.allCases)
    func goalIsMetIfItIsReachedOrUnreachable(_ goal: DeliveryState, _ state: DeliveryState) {
        let record = NotificationRecord(
            sequence: 1,
            id: "x",
            batch: "b",
            state: state,
            history: [DeliveryStep(state, at: Timestamp(milliseconds: 0))]
        )
        #expect(NotificationWait.Goal.state(goal).isMet(by: record) == (goal == state || state.isFinal))
        #expect(NotificationWait.Goal.final.isMet(by: record) == state.isFinal)
    }

    @Test func waitThatTimesOutReturnsTheCurrentState() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token))
            #expect(try await gateway.notification(.numbered(1), "?wait=acknowledged&timeout=1ms").state == .stored)
        }
    }

    @Test(arguments: [
        ("", 404, "unknownNotification"), ("?wait=final&timeout=1ms", 404, "unknownNotification"),
        ("?wait=settled", 400, "badParameter"), ("?wait=", 400, "badParameter"),
        ("?wait=sent&timeout=2", 400, "badParameter"), ("?wait=sent&timeout=61s", 400, "badParameter"),
        ("?wait=sent&timeout=1m", 400, "badParameter"), ("?timeout=-1s", 400, "badParameter"),
    ])
    func badNotificationQueriesAreRefused(_ query: String, _ status: UInt, _ code: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.GET, "/v1/notifications/none\(query)")
            #expect(answer.status == status)
            #expect(try answer.error.code.rawValue == code)
        }
    }

    @Test func waitAppliesToTheNewestNotificationWithTheIdentifier() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token))
            var stream = try await gateway.stream(device)
            let first = try await stream.next()
            try await gateway.send(line(1, device.token))
            let second = try await stream.next()
            async let waited = gateway.notification(.numbered(1), "?wait=acknowledged&timeout=60s")
            _ = try await gateway.acknowledge(.sequences(first.map(\.sequence)), device)
            _ = try await gateway.acknowledge(.sequences(second.map(\.sequence)), device)
            #expect(try await waited.sequence == second[0].sequence)
        }
    }
}
