import GatewayStore
import Testing
import WaypostSchema

@Suite struct ClockTests {
    @Test(arguments: StoreEngine.allCases)
    func clockShowsTheLatestTimeThatWasSet(_ engine: StoreEngine) async throws {
        try await engine.run { store in
            #expect(try await store.clock(of: .standard) == nil)
            var latest = Int.min
            for milliseconds in [Int.min, -1, 0, 1_999_999_999_999, 5, .min, 2_000_000_000_000, .max, 7] {
                latest = max(latest, milliseconds)
                try await store.setClock(of: .standard, to: Timestamp(milliseconds: milliseconds))
                #expect(try await store.clock(of: .standard) == Timestamp(milliseconds: latest))
            }
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func clockBelongsToOneNamespace(_ engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.setClock(of: "a", to: .dawn)
            #expect(try await store.clock(of: "b") == nil)
            try await store.setClock(of: "b", to: .noon)
            #expect(try await store.clock(of: "a") == .dawn)
            #expect(try await store.clock(of: "b") == .noon)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func namespaceHasNoClockUntilOneIsSet(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"))
            #expect(try await example.store.clock(of: .standard) == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func clockStartsOnceAndOnlyInANamespaceThatExists(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let store = example.store
            #expect(try await store.startClock(of: "other", at: .dawn) == nil)
            #expect(try await store.clock(of: "other") == nil)
            try await example.take(.example("n1"))
            #expect(try await store.startClock(of: .standard, at: .dawn) == .dawn)
            #expect(try await store.startClock(of: .standard, at: .noon) == .dawn)
            #expect(try await store.clock(of: .standard) == .dawn)
            #expect(try await store.namespaces().map(\.name) == [.standard])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func clockCanBeSetToAnEarlierTimeAfterAReset(_ engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.setClock(of: .standard, to: .noon)
            _ = try await store.reset(.standard)
            try await store.setClock(of: .standard, to: .dawn)
            #expect(try await store.clock(of: .standard) == .dawn)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func stepsOfAClockAddUp(_ engine: StoreEngine) async throws {
        try await engine.run { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        _ = try await store.moveClock(of: .standard, startingAt: .noon) {
                            Timestamp(milliseconds: $0.rawValue + 7)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.clock(of: .standard)?.rawValue == Timestamp.noon.rawValue + 350)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func refusedMoveChangesNothing(_ engine: StoreEngine) async throws {
        struct Refusal: Error, Equatable {
            var shown: Timestamp
        }
        try await engine.run { store in
            let move = try await store.moveClock(of: .standard, startingAt: .noon) { now throws(Refusal) in
                throw Refusal(shown: now)
            }
            #expect(move == .failure(Refusal(shown: .noon)))
            #expect(try await store.clock(of: .standard) == nil)
            #expect(try await store.namespaces().isEmpty)
        }
    }
}
