import GatewayStore
import Testing
import WaypostSchema

@Suite struct ConcurrentCallersTests {
    private static let tasks = 8
    private static let batches = 50

    private static func name(_ task: Int, _ batch: Int) -> String {
        "task \(task), batch \(batch)"
    }

    private static let names = (0..<tasks).flatMap { task in (0..<batches).map { name(task, $0) } }

    /// Runs `body` on an example to which several tasks have appended batches of two notifications, one for each agent.
    private func run(_ engine: StoreEngine, _ body: (ExampleStore) async throws -> Void) async throws {
        try await engine.runExample { example in
            let store = example.store
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        for batch in 0..<Self.batches { try await Self.append(Self.name(task, batch), to: store) }
                    }
                }
                try await group.waitForAll()
            }
            try await body(example)
        }
    }

    private static func append(_ name: String, to store: any GatewayStore) async throws {
        let id = NotificationID(rawValue: name)
        let batch = NewBatch(
            id: BatchID(rawValue: name),
            notifications: [.example(id), .example(id, to: "laptop")]
        )
        let appended = try #require(try await store.append(batch, at: .noon).appended)
        #expect(appended.refusals == [nil, nil])
    }

    @Test(arguments: StoreEngine.allCases)
    func concurrentAppendsLoseNothing(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let home = try await example.store.stored(example.home)
            let away = try await example.store.stored(example.away)
            #expect(Set((home + away).map(\.sequence)).count == 2 * Self.names.count)
            for inbox in [home, away] {
                #expect(inbox.map(\.notification.id.rawValue).sorted() == Self.names.sorted())
                #expect(zip(inbox, inbox.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
            }
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func eachConcurrentBatchIsCounted(_ engine: StoreEngine) async throws {
        try await run(engine) { example async throws in
            for name in Self.names {
                #expect(try await example.states(of: BatchID(rawValue: name)) == [.stored: 2])
            }
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func batchesOfConcurrentTasksDoNotInterleave(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let stored = try await example.store.stored(example.home) + example.store.stored(example.away)
            let all = stored.sorted { $0.sequence < $1.sequence }
            for start in stride(from: 0, to: all.count, by: 2) {
                #expect(all[start].batch == all[start + 1].batch)
            }
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func concurrentAcknowledgementsCountEachNotificationOnce(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let (store, home) = (example.store, example.home)
            let sequences = try await store.stored(home).map(\.sequence)
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<Self.tasks {
                    let mine = sequences.indices.map { sequences[($0 + task * Self.batches) % sequences.count] }
                    group.addTask {
                        var count = 0
                        for start in stride(from: 0, to: mine.count, by: 10) {
                            let some = Array(mine[start..<min(start + 10, mine.count)])
                            count += try await store.acknowledge(home, some).removals.count
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(count == sequences.count)
            #expect(try await example.inbox().isEmpty)
            #expect(try await example.inbox(example.away).count == Self.names.count)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func oneOfSeveralBatchesWithAKeyIsAccepted(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let store = example.store
            let outcomes = try await withThrowingTaskGroup(of: AppendOutcome.self) { group in
                for task in 0..<Self.tasks {
                    let batch = NewBatch(
                        id: BatchID(rawValue: "\(task)"),
                        notifications: [.example("n1")],
                        key: IdempotencyKey(key: "key", fingerprint: [])
                    )
                    group.addTask { try await store.append(batch, at: .noon) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.compactMap(\.appended).count == 1)
            #expect(outcomes.compactMap(\.duplicate).count == Self.tasks - 1)
            #expect(try await example.inbox() == ["n1"])
        }
    }
}
