import GatewayStore
import Testing
import WaypostSchema

@Suite struct AtomicBatchTests {
    private func batch(_ notifications: [NewNotification], rejected: Int = 0) -> NewBatch {
        NewBatch(id: "batch", notifications: notifications, rejected: rejected, isAtomic: true)
    }

    @Test(arguments: StoreEngine.allCases)
    func batchWithoutRefusalsIsAccepted(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let notifications: [NewNotification] = [
                .example("n1"), .example("n2", to: "laptop"), .example("n3", expiration: 0),
                .example("n4", expiration: 1),
            ]
            let outcome = try await example.store.append(batch(notifications), at: .noon)
            #expect(outcome.appended?.refusals == [nil, nil, nil, nil])
            #expect(try await example.states() == [.stored: 2, .dropped: 1, .expired: 1])
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            ([.example("n1"), .example("n2", to: "nobody")], 0, [nil, .unknownToken]),
            (
                [.example("n1", for: "photos"), .example("n2"), .example("n3", to: "gone")], 0,
                [.wrongTopic(registered: ExampleStore.topics), nil, .unregistered(since: .dawn)]
            ),
            ([.example("n1"), .example("n2")], 1, [nil, nil]),
            ([], 3, []),
        ] as [([NewNotification], Int, [StoreRefusal?])]
    )
    func anyRefusalRefusesTheWholeBatch(
        _ engine: StoreEngine,
        _ expected: (notifications: [NewNotification], rejected: Int, refusals: [StoreRefusal?])
    ) async throws {
        try await engine.runExample { example in
            _ = try await example.store.join("gone", .away)
            try await example.change("gone", .standing(.unregistered, since: .dawn))
            try await example.take(.example("old", collapseID: "crusty"), as: "old")
            let batch = batch(expected.notifications, rejected: expected.rejected)
            try await example.connect([example.home])
            let outcome = try await example.store.append(batch, at: .noon)
            #expect(outcome == .refused(expected.refusals))
            #expect(try await example.inbox() == ["old"])
            #expect(try await example.inbox(example.away).isEmpty)
            #expect(try await example.store.batch("batch", in: .standard) == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func refusedBatchCollapsesNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("old", collapseID: "crusty"), as: "old")
            let batch = batch([.example("new", collapseID: "crusty"), .example("bad", to: "nobody")])
            _ = try await example.store.append(batch, at: .noon)
            #expect(try await example.inbox() == ["old"])
            try await example.take(.example("newer", collapseID: "crusty"), as: "newer")
            #expect(try await example.inbox() == ["newer"])
        }
    }
}
