import GatewayStore
import Testing
import WaypostSchema

@Suite struct ReadTests {
    /// Runs `body` on an example whose agent `home` has five notifications in its inbox.
    private func run(
        _ engine: StoreEngine,
        _ body: (_ example: ExampleStore, _ sequences: [Int]) async throws -> Void
    ) async throws {
        try await engine.runExample { example in
            let other = NewNotification.example("other", to: "laptop")
            try await example.take(.example("n1"), .example("n2"), other, .example("n3", to: "phone"))
            try await example.take(.example("n4"), .example("n5", to: "phone"), as: "later")
            try await body(example, example.store.stored(example.home).map(\.sequence))
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            (1, [["n1"], ["n2"], ["n3"], ["n4"], ["n5"]]),
            (2, [["n1", "n2"], ["n3", "n4"], ["n5"]]),
            (5, [["n1", "n2", "n3", "n4", "n5"]]),
            (.max, [["n1", "n2", "n3", "n4", "n5"]]),
        ] as [(Int, [[NotificationID]])]
    )
    func pagesFollowEachOther(
        _ engine: StoreEngine,
        _ expected: (limit: Int, pages: [[NotificationID]])
    ) async throws {
        try await run(engine) { example, _ in
            var pages: [[NotificationID]] = []
            var cursor = 0
            while true {
                let page = try await example.store.readInbox(
                    of: example.home,
                    after: cursor,
                    limit: expected.limit,
                    at: .noon
                )
                guard let last = page.last else { break }
                pages.append(page.map(\.notification.id))
                cursor = last.sequence
            }
            #expect(pages == expected.pages)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func readingRemovesNothing(_ engine: StoreEngine) async throws {
        try await run(engine) { example, _ async throws in
            #expect(try await example.page(limit: 2) == ["n1", "n2"])
            #expect(try await example.page(limit: 2) == ["n1", "n2"])
            #expect(try await example.inbox().count == 5)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func pageBeginsAfterTheCursor(_ engine: StoreEngine) async throws {
        let ids: [NotificationID] = ["n1", "n2", "n3", "n4", "n5"]
        try await run(engine) { example, sequences async throws in
            for (index, sequence) in sequences.enumerated() {
                #expect(try await example.page(after: sequence) == Array(ids[(index + 1)...]))
                #expect(try await example.page(after: sequence - 1) == Array(ids[index...]))
            }
        }
    }

    @Test(arguments: StoreEngine.allCases, [Int.min, -1, 0])
    func cursorBeforeEverythingReadsEverything(_ engine: StoreEngine, cursor: Int) async throws {
        try await run(engine) { example, _ async throws in
            #expect(try await example.page(after: cursor).count == 5)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func cursorAfterEverythingReadsNothing(_ engine: StoreEngine) async throws {
        try await run(engine) { example, sequences async throws in
            #expect(try await example.page(after: sequences[4]).isEmpty)
            #expect(try await example.page(after: sequences[4] + 1_000).isEmpty)
            #expect(try await example.page(after: .max).isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases, [0, -1, Int.min])
    func pageWithoutAPositiveLimitIsEmpty(_ engine: StoreEngine, limit: Int) async throws {
        try await run(engine) { example, _ async throws in
            #expect(try await example.page(limit: limit).isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func cursorCanBeARemovedNotification(_ engine: StoreEngine) async throws {
        try await run(engine) { example, sequences in
            try await example.acknowledge("n2")
            #expect(try await example.page(after: sequences[1], limit: 2) == ["n3", "n4"])
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            ([0], ["n2", "n3", "n4"]),
            ([1, 3], ["n1", "n3", "n5"]),
            ([0, 1, 2], ["n4", "n5"]),
            ([3, 4], ["n1", "n2", "n3"]),
            ([0, 1, 2, 3, 4], []),
        ] as [([Int], [NotificationID])]
    )
    func pageIsFullAcrossGaps(
        _ engine: StoreEngine,
        _ expected: (acknowledged: [Int], page: [NotificationID])
    ) async throws {
        try await run(engine) { example, sequences in
            _ = try await example.store.acknowledge(example.home, expected.acknowledged.map { sequences[$0] })
            #expect(try await example.page(limit: 3) == expected.page)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func pageIsFullAcrossExpiredAndWaitingNotifications(_ engine: StoreEngine) async throws {
        try await run(engine) { example, sequences in
            try await example.change("phone", .power(isLowPowerModeEnabled: true))
            try await example.take(
                .example("expired", expiration: 200),
                .example("held", to: "phone", priority: 5),
                .example("n6"),
                .example("n7"),
                as: "last"
            )
            let late = Timestamp.seconds(200)
            #expect(try await example.page(after: sequences[3], limit: 3, at: late) == ["n5", "n6", "n7"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func unknownAgentHasAnEmptyInbox(_ engine: StoreEngine) async throws {
        try await run(engine) { example, _ async throws in
            for stranger in [
                AgentID(namespace: .standard, number: 1_000_000),
                AgentID(namespace: .standard, number: -1),
                AgentID(namespace: "other", number: example.home.number),
            ] {
                #expect(try await example.page(stranger).isEmpty)
            }
        }
    }
}
