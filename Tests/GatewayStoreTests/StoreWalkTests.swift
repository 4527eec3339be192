import Testing
import WaypostSchema
import WaypostTestSupport

/// Tests that a store has the same answers and contents as the oracle after random operations.
@Suite struct StoreWalkTests {
    /// Walks with these two seeds found planted bugs that walks with others missed.
    private static let seeds = Trials.seeds(2, from: 3)
    private static let steps = 2_000

    private func walk(_ engine: StoreEngine, seed: UInt64, steps: Int = steps) async throws -> StoreWalk {
        let walk = try await StoreWalk(engine, seed: seed)
        for _ in 0..<steps { try await walk.step() }
        try await walk.checkEverything()
        try walk.session.close()
        return walk
    }

    @Test(arguments: StoreEngine.allCases, seeds)
    func storeAgreesWithTheOracle(_ engine: StoreEngine, seed: UInt64) async throws {
        let walk = try await walk(engine, seed: seed)
        // A walk in which one of these outcomes never occurs proves too little.
        let expected: Set = [
            "acknowledged", "collapsed", "expired", "unregistered", "known", "refused whole", "unknownSecret",
            "tokenTaken", "forgotten", "logged accepted", "logged stored", "logged acknowledged", "logged collapsed",
            "logged expired", "logged dropped", "logged unregistered", "logged rejected", "rotation",
            "rotation to a token that is taken", "purge", "reset", "session of nobody", "closing an old session",
        ]
        #expect(walk.seen.isSuperset(of: expected), "\(expected.subtracting(walk.seen))")
        #expect(walk.seen.contains("reopen") == walk.session.outlivesItsProcess)
    }
}
