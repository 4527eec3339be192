import Testing
import WaypostTestSupport

/// Tests that the rules of delivery hold in simulated clusters, and that the simulation finds planted bugs.
@Suite struct ClusterSimulationTests {
    private static let rounds = 8
    private static let steps = 50
    private static let seedsInGroup: UInt64 = 30
    private static let traceLimit = 2_000

    /// Simulates a cluster; returns it, and the violation.
    private func simulate(
        _ rules: Rules,
        seed: UInt64,
        isTraced: Bool = false
    ) -> (cluster: SimulatedCluster, violation: Violation?) {
        var cluster = SimulatedCluster(rules, seed: seed, isTraced: isTraced)
        do throws(Violation) {
            for _ in 0..<Self.rounds { try cluster.takeRound(of: Self.steps) }
            return (cluster, nil)
        } catch {
            return (cluster, error)
        }
    }

    /// Returns the last steps of a simulation, one line each, and details below them.
    private func trace(_ rules: Rules, seed: UInt64) -> String {
        let trace = simulate(rules, seed: seed, isTraced: true).cluster.trace
        return trace.suffix(Self.traceLimit).joined(separator: "\n").replacing("ClusterSimulationTests.", with: "")
    }

    @Test(arguments: Trials.seeds(8))
    func correctRulesHold(group: UInt64) {
        var seen: Set<String> = []
        for seed in (group * Self.seedsInGroup)..<((group + 1) * Self.seedsInGroup) {
            let (cluster, violation) = simulate(Rules(), seed: seed)
            seen.formUnion(cluster.seen)
            guard let violation else { continue }
            Issue.record("seed \(seed): \(violation)\n\(trace(Rules(), seed: seed))")
            return
        }
        // Simulations in which one of these outcomes never occurs prove too little.
        let expected: Set = [
            "behind", "deadlock", "expelled", "expired", "fail-over", "forgotten transient notification", "nudge",
            "outdated opening", "outdated stream", "removed gateway", "resolved commit", "session without stream",
            "cleaned up after ended gateways", "unknown outcome",
        ]
        #expect(seen.isSuperset(of: expected), "\(expected.subtracting(seen))")
    }

    @Test(arguments: PlantedBug.allCases)
    func plantedBugIsFound(_ bug: PlantedBug) throws {
        let found = (0..<200 as Range<UInt64>).lazy.compactMap { seed in
            simulate(Rules(bugs: [bug]), seed: seed).violation.map { (seed, $0) }
        }.first
        let (seed, violation) = try #require(found)
        print("\(bug): seed \(seed): \(violation)")
    }

    @Test func seedDeterminesTheSteps() {
        #expect(trace(Rules(), seed: 1) == trace(Rules(), seed: 1))
    }
}
