import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct SelectionPropertyTests {
    private static let seeds = Trials.seeds(4, from: 1)
    private static let rounds = 250

    @Test(arguments: seeds)
    func orderOfTheCandidatesDoesNotMatter(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            var question = RandomScenes(using: &generator)
            let decision = try question.decide()
            question.scenes.shuffle(using: &generator)
            #expect(try question.decide() == decision, "seed \(seed), round \(round): \(question)")
        }
    }

    @Test(.proves("T11", "T27"), arguments: seeds)
    func bestSceneWins(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let question = RandomScenes(using: &generator)
            let decision = try question.decide()
            #expect(decision.scene?.rawValue == question.best?.name, "seed \(seed), round \(round): \(question)")
            #expect(
                (decision.outcome == .activate) == (question.best != nil),
                "seed \(seed), round \(round): \(question)"
            )
        }
    }

    @Test(arguments: seeds)
    func traceHasEverySceneFromBestToWorst(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let question = RandomScenes(using: &generator)
            let trace = try question.decide().trace
            let ranked = question.scenes.sorted {
                question.rank(of: $1).lexicographicallyPrecedes(question.rank(of: $0))
            }
            let comment: Comment = "seed \(seed), round \(round): \(question)"
            #expect(trace.map(\.scene.rawValue) == ranked.map(\.name), comment)
            #expect(trace.map(\.suitability) == ranked.map(question.suitability), comment)
        }
    }

    @Test(.proves("T4"), arguments: seeds)
    func firstSceneOfTheTraceIsTheOnlyWinner(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let question = RandomScenes(using: &generator)
            let decision = try question.decide()
            let winners = decision.trace.indices.filter { decision.trace[$0].won }
            let comment: Comment = "seed \(seed), round \(round): \(question)"
            #expect(winners == (decision.outcome == .activate ? [0] : []), comment)
            #expect(decision.scene == winners.first.map { decision.trace[$0].scene }, comment)
        }
    }

    @Test(arguments: seeds)
    func sceneThatPrefersWithoutCanIsAlwaysAFinding(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let question = RandomScenes(using: &generator)
            let odd = question.scenes.filter { scene in
                question.usesConditions && scene.preferred.contains(question.identifier ?? "")
                    && !scene.displayable.contains(question.identifier ?? "")
            }
            let expected = odd.count + (question.identifier == "" ? 1 : 0)
            #expect(try question.decide().findings.count == expected, "seed \(seed), round \(round): \(question)")
        }
    }
}
