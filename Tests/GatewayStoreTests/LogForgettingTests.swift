import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of the entries that the log forgets, and of the time when it does.
@Suite struct LogForgettingTests {
    private static let day = Retention.logLifetime

    @Test(arguments: StoreEngine.allCases)
    func entryThatEndedADayAgoIsForgotten(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("bad", to: "nobody"), .example("n2"))
            let sequence = try await example.sequence(of: "n1")
            _ = try await example.store.acknowledge(example.home, [sequence], attempts: [:], at: .seconds(160))
            try await example.expire(at: 99 + Self.day)
            #expect(try await example.log().map(\.subject.id) == ["n1", "bad", "n2"])
            try await example.expire(at: 100 + Self.day)
            #expect(try await example.log().map(\.subject.id) == ["n1", "n2"])
            #expect(try await example.store.logEntries(matching: LogQuery(token: "nobody"), in: .standard).isEmpty)
            try await example.expire(at: 159 + Self.day)
            #expect(try await example.log().map(\.subject.id) == ["n1", "n2"])
            try await example.expire(at: 160 + Self.day)
            #expect(try await example.log().map(\.subject.id) == ["n2"])
            #expect(try await example.store.logEntry(of: "n1", in: .standard) == nil)
            #expect(try await example.store.logEntries(at: [sequence], in: .standard).isEmpty)
            #expect(try await example.logged(LogQuery(token: "tablet")) == ["n2"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func entryThatHasNotEndedIsKept(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("now", expiration: 0), connected: [example.home])
            try await example.expire(at: 1_000 * Self.day)
            #expect(try await example.log().map(\.subject.id) == ["n1", "now"])
            #expect(try await example.entry("n1").batch == "batch")
            #expect(try await example.entry("n1").createdAt == .noon)
        }
    }

    /// A sweep after a large clock advance must not forget the entries that it ends.
    @Test(arguments: StoreEngine.allCases)
    func entryThatASweepEndsIsKeptForADay(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", expiration: 200))
            let late = 30 * Self.day
            try await example.expire(at: late)
            #expect(try await example.end(of: "n1") == LogEnd(.expired, at: .seconds(late)))
            try await example.expire(at: late + Self.day)
            #expect(try await example.log().isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func olderNotificationIsFoundWhenTheNewestWithItsIdentifierIsForgotten(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), as: "first")
            try await example.take(.example("n1", to: "laptop"), as: "second")
            try await example.acknowledge("n1", in: example.away)
            try await example.expire(at: 100 + Self.day)
            #expect(try await example.entry("n1").batch == "first")
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func entriesAreForgottenInTheOrderOfTheirEndTimes(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2"), .example("n3"))
            let sequences = try await example.store.stored(example.home).map(\.sequence)
            // The clock moves back in between.
            for (sequence, moment) in zip(sequences, [130, 110, 120]) {
                _ = try await example.store.acknowledge(example.home, [sequence], attempts: [:], at: .seconds(moment))
            }
            try await example.expire(at: 110 + Self.day)
            #expect(try await example.log().map(\.subject.id) == ["n1", "n3"])
            try await example.expire(at: 120 + Self.day)
            #expect(try await example.log().map(\.subject.id) == ["n1"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func retentionIsConfigurable(_ engine: StoreEngine) async throws {
        try await engine.runExample(logRetention: 30 * Self.day) { example in
            try await example.take(.example("n1"))
            try await example.acknowledge("n1")
            // The batch is forgotten earlier, but its identifier remains in the log.
            for day in [8, 16, 29] { try await example.expire(at: day * Self.day) }
            #expect(try await example.states() == nil)
            #expect(try await example.entry("n1").batch == "batch")
            try await example.expire(at: 100 + 30 * Self.day)
            #expect(try await example.log().isEmpty)
        }
    }

    @Test(arguments: StoreEngine.withoutLog)
    func nothingIsLoggedIfTheRetentionIsZero(_ engine: StoreEngine) async throws {
        try await engine.runExample(logRetention: 0) { example in
            let appended = try await example.take(
                .example("n1"),
                .example("bad", to: "nobody"),
                .example("dropped", to: "laptop", expiration: 0),
                .example("late", expiration: 50),
                .example("now", expiration: 0),
                .example("n2", to: "phone"),
                connected: [example.home]
            )
            #expect(appended.logSequences == nil)
            // Only notifications for an inbox or a stream use a sequence.
            let sequences = appended.deliveries.map(\.notification.sequence)
            #expect(sequences == Array(sequences[0]..<(sequences[0] + 3)))
            #expect(appended.countsByState == [.stored: 2, .dropped: 1, .expired: 1, .accepted: 1])
            try await example.store.recordAttempts([sequences[0]: DeliveryAttempts(at: .noon)], in: .standard)
            try await example.acknowledge("n1")
            #expect(try await example.log().isEmpty)
            #expect(try await example.store.logEntries(at: sequences, in: .standard).isEmpty)
            #expect(try await example.store.logEntry(of: "n2", in: .standard) == nil)
            #expect(
                try await example.states() == [.stored: 1, .acknowledged: 1, .dropped: 1, .expired: 1, .accepted: 1]
            )
        }
    }
}
