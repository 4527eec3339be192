import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of log queries.
@Suite struct LogQueryTests {
    /// Runs `body` on an example with ten notifications, which were sent one per second.
    private func run(_ engine: StoreEngine, _ body: (ExampleStore) async throws -> Void) async throws {
        try await engine.runExample { example in
            for number in 0..<10 {
                try await example.take(
                    .example(
                        NotificationID(rawValue: "\(number)"),
                        to: number % 2 == 0 ? "tablet" : "laptop",
                        for: number < 5 ? "clowns" : "notes"
                    ),
                    as: BatchID(rawValue: "batch \(number)"),
                    at: .seconds(100 + number)
                )
            }
            try await body(example)
        }
    }

    private func ids(_ numbers: [Int]) -> [NotificationID?] {
        numbers.map { NotificationID(rawValue: "\($0)") }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            (LogQuery(), Array(0..<10)), (LogQuery(limit: 3), [7, 8, 9]), (LogQuery(limit: 0), []),
            (LogQuery(start: .after(0), limit: 3), [0, 1, 2]), (LogQuery(start: .after(.max)), []),
            (LogQuery(token: "tablet"), [0, 2, 4, 6, 8]), (LogQuery(token: "tablet", limit: 2), [6, 8]),
            (LogQuery(token: "laptop", start: .after(0), limit: 2), [1, 3]), (LogQuery(token: "nobody"), []),
            (LogQuery(token: "phone"), []), (LogQuery(topic: "notes"), [5, 6, 7, 8, 9]),
            (LogQuery(topic: "notes", start: .after(0), limit: 1), [5]),
            (LogQuery(token: "tablet", topic: "notes"), [6, 8]),
            (LogQuery(since: .seconds(108)), [8, 9]), (LogQuery(since: .seconds(108), start: .after(0), limit: 1), [8]),
            (LogQuery(since: .seconds(107), limit: 2), [8, 9]), (LogQuery(since: .seconds(110)), []),
            (LogQuery(token: "laptop", topic: "clowns", since: .seconds(102)), [3]),
            (LogQuery(states: [.stored]), Array(0..<10)), (LogQuery(states: [.acknowledged, .expired]), []),
            (LogQuery(states: []), []), (LogQuery(limit: -1), []),
        ]
    )
    func queryFindsMatchingEntries(_ engine: StoreEngine, _ expected: (query: LogQuery, numbers: [Int])) async throws {
        try await run(engine) { example async throws in
            #expect(try await example.logged(expected.query) == ids(expected.numbers))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func queryUsesTheCurrentStates(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.acknowledge("2", "6")
            try await example.acknowledge("1", in: example.away)
            #expect(try await example.logged(LogQuery(states: [.acknowledged])) == ids([1, 2, 6]))
            let query = LogQuery(token: "tablet", states: [.stored, .rejected])
            #expect(try await example.logged(query) == ids([0, 4, 8]))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func pagesHaveNoGapBetweenThem(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            var (pages, cursor): ([[NotificationID?]], Int) = ([], 0)
            while let page = try await example.store.logEntries(
                matching: LogQuery(start: .after(cursor), limit: 4),
                in: .standard
            ).nonEmpty {
                pages.append(page.map(\.subject.id))
                cursor = page.last?.sequence ?? .max
            }
            #expect(pages == [ids([0, 1, 2, 3]), ids([4, 5, 6, 7]), ids([8, 9])])
        }
    }

    /// A notification that was sent after the clock moved back is still found by its time.
    @Test(arguments: StoreEngine.allCases)
    func clockThatMovesBackHidesNothing(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(.example("early"), as: "early", at: .seconds(50))
            try await example.take(.example("late"), as: "late", at: .seconds(105))
            let since = LogQuery(since: .seconds(105), start: .after(0))
            #expect(try await example.logged(since) == ids([5, 6, 7, 8, 9]) + ["late"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func entriesOfSequencesAreReturnedInAscendingOrder(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let all = try await example.log()
            let asked = [all[7].sequence, 0, all[2].sequence, all[7].sequence, all[9].sequence + 1, .max, .min]
            #expect(try await example.store.logEntries(at: asked, in: .standard) == [all[2], all[7]])
            #expect(try await example.store.logEntries(at: [], in: .standard).isEmpty)
            #expect(try await example.store.logEntries(at: asked, in: "other").isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func identifierFindsTheNewestEntry(_ engine: StoreEngine) async throws {
        try await run(engine) { example async throws in
            try await example.take(.example("3", to: "phone"), as: "again")
            #expect(try await example.entry("3").batch == "again")
            #expect(try await example.store.logEntry(of: "10", in: .standard) == nil)
            #expect(try await example.store.logEntry(of: "3", in: "other") == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func namespacesHaveTheirOwnLogs(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, _ in
            try await example.take(.example("n1"))
            try await example.takeElsewhere(.example("n1"), .example("n2"))
            #expect(try await example.log().count == 1)
            #expect(try await example.log(in: "other").map(\.subject.id) == ["n1", "n2"])
            let elsewhere = LogQuery(token: "tablet", start: .after(0))
            #expect(try await example.store.logEntries(matching: elsewhere, in: "other").count == 2)
            _ = try await example.store.reset("other")
            #expect(try await example.log(in: "other").isEmpty)
            #expect(try await example.store.logEntry(of: "n2", in: "other") == nil)
            #expect(try await example.log().count == 1)
        }
    }
}

extension Array {
    fileprivate var nonEmpty: Self? {
        isEmpty ? nil : self
    }
}
