import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of the delivery attempts in the log.
@Suite struct LogAttemptsTests {
    private static let first = DeliveryAttempts(first: .seconds(101), last: .seconds(103), count: 2)
    private static let second = DeliveryAttempts(first: .seconds(110), last: .seconds(110))
    private static let both = DeliveryAttempts(first: .seconds(101), last: .seconds(110), count: 3)

    @Test(arguments: StoreEngine.allCases)
    func attemptsAddUp(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2"))
            let sequence = try await example.sequence(of: "n1")
            try await example.store.recordAttempts([sequence: Self.first], in: .standard)
            #expect(try await example.entry("n1").attempts == Self.first)
            try await example.store.recordAttempts([sequence: Self.second], in: .standard)
            #expect(try await example.entry("n1").attempts == Self.both)
            #expect(try await example.entry("n2").attempts == nil)
            #expect(try await example.end(of: "n1") == LogEnd(.stored))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func acknowledgementAddsAttempts(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2"), .example("n3"))
            let sequences = try await example.store.stored(example.home).map(\.sequence)
            try await example.store.recordAttempts([sequences[0]: Self.first], in: .standard)
            let attempts = [sequences[0]: Self.second, sequences[2]: Self.second]
            let changes = try await example.store.acknowledge(
                example.home,
                Array(sequences.prefix(2)),
                attempts: attempts,
                at: .seconds(111)
            )
            #expect(changes.removals.count == 2)
            #expect(try await example.entry("n1").attempts == Self.both)
            #expect(try await example.entry("n2").attempts == nil)
            // `n3` was not acknowledged.
            #expect(try await example.entry("n3").attempts == nil)
            #expect(try await example.end(of: "n2") == LogEnd(.acknowledged, at: .seconds(111)))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func attemptsOfAnEndedNotificationAreRecorded(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"))
            let sequence = try await example.sequence(of: "n1")
            try await example.acknowledge("n1")
            try await example.store.recordAttempts([sequence: Self.first], in: .standard)
            #expect(try await example.entry("n1").attempts == Self.first)
            #expect(try await example.end(of: "n1") == LogEnd(.acknowledged, at: .noon))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func attemptsOfUnknownNotificationsAreIgnored(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"))
            let sequence = try await example.sequence(of: "n1")
            let before = try await example.log()
            try await example.store.recordAttempts(
                [sequence + 1: Self.first, .min: Self.first, .max: Self.first],
                in: .standard
            )
            try await example.store.recordAttempts([sequence: Self.first], in: "other")
            try await example.store.recordAttempts([:], in: .standard)
            #expect(try await example.log() == before)
            #expect(try await example.store.namespaces().map(\.name) == [.standard])
        }
    }
}
