import GatewayStore
import Testing
import WaypostSchema

@Suite struct AcknowledgementTests {
    /// Runs `body` on an example whose agent `home` has four notifications in its inbox and whose agent `away` has one.
    private func run(
        _ engine: StoreEngine,
        _ body: (_ example: ExampleStore, _ sequences: [Int]) async throws -> Void
    ) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2", to: "phone"), .example("n3"), .example("n4"))
            try await example.take(.example("other", to: "laptop"), as: "other")
            try await body(example, example.store.stored(example.home).map(\.sequence))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func acknowledgedNotificationsLeaveTheInbox(_ engine: StoreEngine) async throws {
        try await run(engine) { example, sequences in
            let changes = try await example.store.acknowledge(example.home, [sequences[2], sequences[0]])
            #expect(Set(changes.removals.map(\.sequence)) == [sequences[2], sequences[0]])
            #expect(try await example.inbox() == ["n2", "n4"])
            #expect(try await example.states() == [.stored: 2, .acknowledged: 2])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func acknowledgedNotificationNeverReturns(_ engine: StoreEngine) async throws {
        try await run(engine) { example, sequences in
            _ = try await example.store.acknowledge(example.home, sequences)
            try await example.disconnect()
            try await example.setStorage(.apns)
            try await example.change("tablet", .power(isLowPowerModeEnabled: false))
            try await example.change("tablet", .rotation(to: "slate"))
            #expect(try await example.inbox().isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func repeatedAcknowledgementChangesNothing(_ engine: StoreEngine) async throws {
        try await run(engine) { example, sequences in
            _ = try await example.store.acknowledge(example.home, [sequences[1]])
            #expect(try await example.store.acknowledge(example.home, [sequences[1]]) == StoreChanges())
            #expect(try await example.states() == [.stored: 3, .acknowledged: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func repeatedSequenceCountsOnce(_ engine: StoreEngine) async throws {
        try await run(engine) { example, sequences in
            let changes = try await example.store.acknowledge(example.home, [sequences[1], sequences[1]])
            #expect(changes.removals.count == 1)
            #expect(try await example.states() == [.stored: 3, .acknowledged: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases, [[], [Int.min], [-1], [0], [1_000_000], [.max]])
    func unknownSequenceChangesNothing(_ engine: StoreEngine, unknown: [Int]) async throws {
        try await run(engine) { example, _ async throws in
            #expect(try await example.store.acknowledge(example.home, unknown) == StoreChanges())
            #expect(try await example.inbox().count == 4)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func unknownSequenceDoesNotAffectTheOthers(_ engine: StoreEngine) async throws {
        try await run(engine) { example, sequences async throws in
            let named = [-1, sequences[3], 1_000_000, sequences[0]]
            #expect(try await example.store.acknowledge(example.home, named).removals.count == 2)
            #expect(try await example.inbox() == ["n2", "n3"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sequencesOfAnotherAgentAreIgnored(_ engine: StoreEngine) async throws {
        try await run(engine) { example, _ in
            let other = try await example.sequence(of: "other", in: example.away)
            for stranger in [
                example.home,
                AgentID(namespace: .standard, number: 1_000_000),
                AgentID(namespace: "other", number: example.away.number),
            ] {
                #expect(try await example.store.acknowledge(stranger, [other]) == StoreChanges())
            }
            #expect(try await example.inbox(example.away) == ["other"])
            #expect(try await example.states(of: "other") == [.stored: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func manyNotificationsCanBeAcknowledgedAtOnce(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let notifications = (0..<2_500).map { NewNotification.example(NotificationID(rawValue: "n\($0)")) }
            _ = try await example.store.append(
                NewBatch(id: "batch", notifications: notifications),
                at: .noon
            )
            let sequences = try await example.store.stored(example.home).map(\.sequence)
            let acknowledged = sequences.filter { !$0.isMultiple(of: 5) }
            let changes = try await example.store.acknowledge(example.home, acknowledged.reversed())
            #expect(Set(changes.removals.map(\.sequence)) == Set(acknowledged))
            #expect(
                try await example.store.stored(example.home).map(\.sequence)
                    == sequences.filter { $0.isMultiple(of: 5) }
            )
            #expect(try await example.states() == [.stored: 500, .acknowledged: 2_000])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func expiredNotificationCanBeAcknowledgedBeforeItIsRemoved(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("brief", expiration: 200))
            #expect(try await example.page(at: .seconds(300)).isEmpty)
            #expect(try await example.acknowledge("brief").removals.count == 1)
            #expect(try await example.expire(at: 300) == StoreChanges())
            #expect(try await example.states() == [.acknowledged: 1])
        }
    }
}
