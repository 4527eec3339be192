import GatewayStore
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct ManualClockTests {
    static let start = 1_790_000_000_000

    static func now(_ gateway: RunningGateway, in namespace: Namespace? = nil) async throws -> Int {
        try await gateway.get("/v1/clock", in: namespace, as: ClockReading.self).now.rawValue
    }

    @discardableResult
    static func advance(
        _ gateway: RunningGateway,
        _ advance: ClockAdvance,
        in namespace: Namespace? = nil
    ) async throws -> Int {
        try await gateway.service(.POST, "/v1/clock/advance", advance, in: namespace)
            .decoded(as: ClockReading.self).now.rawValue
    }

    @Test(arguments: Engine.allCases) func clockStandsStillUntilItIsAdvanced(_ engine: Engine) async throws {
        let system = MovingClock()
        var sources = GatewaySources.forTests()
        sources.now = system.now
        try await engine.run(.forTests.withManualClock, sources: sources) { gateway in
            let reading: ClockReading = try await gateway.get("/v1/clock")
            #expect(reading == ClockReading(now: Timestamp(milliseconds: Self.start), clock: .manual))
            system.advance(seconds: 60)
            #expect(try await Self.now(gateway) == Self.start)
            #expect(try await Self.advance(gateway, ClockAdvance(by: 1_500)) == Self.start + 1_500)
            let moment = Timestamp(milliseconds: Self.start + 2_000)
            #expect(try await Self.advance(gateway, ClockAdvance(to: moment)) == Self.start + 2_000)
            #expect(try await Self.advance(gateway, ClockAdvance(by: 0)) == Self.start + 2_000)
            #expect(try await Self.now(gateway) == Self.start + 2_000)
        }
    }

    @Test(arguments: Engine.allCases) func eachNamespaceHasItsOwnClock(_ engine: Engine) async throws {
        let system = MovingClock()
        var sources = GatewaySources.forTests()
        sources.now = system.now
        try await engine.run(.forTests.withManualClock, sources: sources) { gateway in
            #expect(try await Self.advance(gateway, ClockAdvance(by: 7), in: "one") == Self.start + 7)
            system.advance(seconds: 60)
            // A namespace's clock starts at the system's time when it is first used.
            #expect(try await Self.now(gateway, in: "two") == Self.start + 60_000)
            #expect(try await Self.now(gateway, in: "one") == Self.start + 7)
            _ = try await gateway.service(.DELETE, "/v1/namespaces/one")
            #expect(try await Self.now(gateway, in: "one") == Self.start + 60_000)
        }
    }

    /// A killed agent may have sent a request that the gateway handles only after the namespace was removed.
    @Test(arguments: Engine.allCases) func lateRequestOfAFollowerDoesNotCreateTheNamespace(
        _ engine: Engine
    ) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let now = try await Self.now(gateway, in: "one")
            _ = try await gateway.service(.DELETE, "/v1/namespaces/one")
            let path = "/v1/clock?follower=a&timeout=1ms&after="
            let late: ClockReading = try await gateway.get(path + "\(now)", in: "one")
            #expect(late.now.rawValue == now)
            #expect(try await gateway.get("/v1/namespaces", as: [NamespaceSummary].self).isEmpty)
            let first: ClockReading = try await gateway.get(path + "0", in: "one")
            #expect(first.now.rawValue > 0)
            #expect(try await gateway.get("/v1/namespaces", as: [NamespaceSummary].self).map(\.name) == ["one"])
        }
    }

    @Test(arguments: Engine.allCases) func concurrentStepsAddUp(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { try await Self.advance(gateway, ClockAdvance(by: 1_000)) } }
                try await group.waitForAll()
            }
            let now = try await Self.now(gateway)
            #expect(now == Self.start + 10_000)
        }
    }

    @Test(arguments: Engine.allCases) func expiredNotificationsAreRemovedBeforeTheAnswer(_ engine: Engine) async throws
    {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            let soon = Self.start / 1_000 + 1_200
            let receipt = try await gateway.send(
                line(device.token, #""expiration":\#(soon),"#) + line(device.token, #""expiration":\#(soon + 1),"#)
            )
            try await Self.advance(gateway, ClockAdvance(by: 1_200_000 - 1))
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 2])
            try await Self.advance(gateway, ClockAdvance(by: 1))
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 1, .expired: 1])
            #expect(try await gateway.inbox(of: device).map(\.expiration) == [soon + 1])
        }
    }

    @Test(
        arguments: Engine.allCases,
        [
            (.POST, "devices", #"{"name":"iPad","topics":["com.example.clowntown"]}"#),
            (.PUT, "apps/com.example.clowntown", #"{"storage":"apns"}"#),
            (.POST, "batches", #"{"token":"c0ffee","topic":"com.example.clowntown","payload":{"aps":{}}}"#),
        ] as [(HTTPMethod, String, String)]
    )
    func clockStartsWhenSomethingIsStored(_ engine: Engine, _ call: (HTTPMethod, String, String)) async throws {
        let system = MovingClock()
        var sources = GatewaySources.forTests()
        sources.now = system.now
        try await engine.run(.forTests.withManualClock, sources: sources) { gateway in
            let answer = try await gateway.service(call.0, "/v1/\(call.1)", body: [UInt8](call.2.utf8))
            #expect((200..<300).contains(answer.status))
            system.advance(seconds: 60)
            #expect(try await Self.now(gateway) == Self.start)
        }
    }

    /// A gateway with the system's clock leaves such namespaces, as does one that ended before the clock started.
    @Test func clockOfANamespaceWithoutOneStartsWhenItIsRead() async throws {
        let system = MovingClock()
        var sources = GatewaySources.forTests()
        sources.now = system.now
        let store = try SQLiteStore.inMemory()
        let channel = BroadcastChannel(id: "c2NvcmVz", app: "com.example.clowntown", policy: .nothing)
        #expect(try await store.addChannel(channel, in: "run", limit: 1))
        let clocks = NamespaceClocks(.manual, store: store, sources: sources)
        #expect(try await clocks.now(in: "run").rawValue == Self.start)
        system.advance(seconds: 60)
        #expect(try await clocks.now(in: "run").rawValue == Self.start)
        #expect(try await store.clock(of: "run")?.rawValue == Self.start)
    }

    @Test(arguments: Engine.allCases) func waiterForABatchIsNotifiedOfItsExpiration(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            let soon = Self.start / 1_000 + 10
            let receipt = try await gateway.send(line(device.token, #""expiration":\#(soon),"#))
            async let settled = gateway.settledStatus(of: receipt.id)
            try await Self.advance(gateway, ClockAdvance(by: 10_000))
            #expect(try await settled.states == [.expired: 1])
        }
    }

    @Test(arguments: Engine.allCases) func notificationThatArrivesExpiredIsCountedAsExpired(
        _ engine: Engine
    ) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            let now = Self.start / 1_000
            let receipt = try await gateway.send(
                line(device.token, #""expiration":\#(now),"#) + line(device.token, #""expiration":1,"#)
            )
            #expect(receipt.accepted == 2)
            #expect(try await gateway.settledStatus(of: receipt.id).states == [.expired: 2])
        }
    }

    @Test(arguments: Engine.allCases) func apnsStorageKeepsNotificationsFor30Days(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            _ = try await gateway.setStorage(.apns)
            try await gateway.send(line(device.token))
            let month = 30 * 24 * 60 * 60 * 1_000
            for (step, stored) in [(month - 1, 1), (1, 0)] {
                try await Self.advance(gateway, ClockAdvance(by: step))
                let namespaces: [NamespaceSummary] = try await gateway.get("/v1/namespaces")
                #expect(namespaces.map(\.stored) == [stored])
            }
        }
    }

    @Test(arguments: Engine.allCases) func settledBatchIsRememberedForAtLeast7Days(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            let settled = try await gateway.send(line(device.token, #""expiration":0,"#))
            let stored = try await gateway.send(line(device.token))
            let week = 7 * 24 * 60 * 60 * 1_000
            try await Self.advance(gateway, ClockAdvance(by: week - 1))
            #expect(try await gateway.status(of: settled.id).states == [.dropped: 1])
            // The 7 days start when a clean-up of old batches finds the batch settled.
            for _ in 0..<2 { try await Self.advance(gateway, ClockAdvance(by: week)) }
            #expect(try await gateway.service(.GET, "/v1/batches/\(settled.id)").status == 404)
            #expect(try await gateway.status(of: stored.id).states == [.stored: 1])
        }
    }

    @Test(arguments: [
        "{}", #"{"by":1,"to":1790000000001}"#, #"{"by":-1}"#, #"{"to":1789999999999}"#, #"{"by":"1"}"#, "",
    ])
    func invalidAdvanceIsRefused(_ body: String) async throws {
        try await RunningGateway.run(.forTests.withManualClock) { gateway in
            let answer = try await gateway.service(.POST, "/v1/clock/advance", body: Array(body.utf8))
            #expect(answer.status == 400)
            #expect(try answer.error.code == "malformedBody")
            #expect(try await Self.now(gateway) == Self.start)
        }
    }

    @Test func systemClockCannotBeAdvanced() async throws {
        try await RunningGateway.run { gateway in
            let reading: ClockReading = try await gateway.get("/v1/clock")
            #expect(reading == ClockReading(now: Timestamp(milliseconds: Self.start), clock: .system))
            let answer = try await gateway.service(.POST, "/v1/clock/advance", ClockAdvance(by: 1))
            #expect(answer.status == 409)
            #expect(try answer.error.code == "clockIsSystem")
        }
    }

    @Test func restartDoesNotMoveTheClock() async throws {
        let store = try ScratchStore(.forTests.withManualClock)
        _ = try await store.run { gateway in
            try await Self.advance(gateway, ClockAdvance(by: 5_000), in: "run")
        }
        let later = GatewaySources.forTests(now: Timestamp(milliseconds: Self.start + 60_000))
        try await store.run(sources: later) { gateway in
            let now = try await Self.now(gateway, in: "run")
            #expect(now == Self.start + 5_000)
            #expect(try await Self.now(gateway) == Self.start + 60_000)
        }
    }
}
