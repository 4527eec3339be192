import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct ConsentPropertyTests {
    private static let seeds = Trials.seeds(4, from: 1)
    private static let rounds = 250
    private static let later = EventMoment.choice(1_000)
    private static let latest = EventMoment.choice(1_001)

    /// Calls `check` with random histories, rules, and a comment that identifies the history.
    private func forEachHistory(
        _ seed: UInt64,
        _ check: (_ history: RandomHistory, _ rules: ConsentRules, _ comment: Comment) -> Void
    ) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let history = RandomHistory(using: &generator)
            for rules in [ConsentRules(), .latestChoice] {
                check(history, rules, "seed \(seed), round \(round): \(history.steps)")
            }
        }
    }

    @Test(arguments: seeds)
    func answerAgreesWithTheVerdicts(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            let consent = history.consent(rules)
            for question in RandomHistory.questions {
                let verdicts = consent.verdicts(on: question)
                #expect(consent.allows(question) == verdicts.isAllowed, comment)
                #expect(verdicts.isAllowed == verdicts.all.allSatisfy(\.isAllowed), comment)
                #expect(verdicts.isAllowed == (verdicts.refusal == nil), comment)
                #expect(verdicts.rules == verdicts.all.map(\.rule), comment)
            }
        }
    }

    @Test(arguments: seeds)
    func answersAgreeWithTheOracle(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            let consent = history.consent(rules)
            let oracle = ConsentOracle(history, isAlways: rules.pinnedIsAlwaysAvailable)
            for question in RandomHistory.questions {
                #expect(consent.allows(question) == oracle.allows(question), "\(question) \(comment)")
            }
        }
    }

    @Test(arguments: seeds)
    func turningSharingOffAndOnChangesNothing(seed: UInt64) {
        let scopes: [SharingScope] = [.everywhere, .app(tv), .conversation(family)]
        forEachHistory(seed) { history, rules, comment in
            for scope in scopes {
                var consent = history.consent(rules)
                consent.setSharing(scope, isOn: true, at: Self.later)
                let before = consent
                consent.setSharing(scope, isOn: false, at: Self.later)
                consent.setSharing(scope, isOn: true, at: Self.latest)
                #expect(consent == before, comment)
            }
        }
    }

    @Test(arguments: seeds)
    func pinningAndUnpinningChangesNothing(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            for key in RandomHistory.keys {
                let before = history.consent(rules)
                var consent = before
                consent.pin(key, in: family, message: "another", at: Self.later)
                #expect(consent.unpin(key, message: "another") == true, comment)
                #expect(consent == before, comment)
            }
        }
    }

    @Test(arguments: seeds)
    func removingAndRestoringChangesNothing(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            for key in RandomHistory.keys {
                var consent = history.consent(rules)
                consent.restore(key)
                let before = consent
                consent.remove(key, at: Self.later)
                #expect(consent.restore(key) == true, comment)
                #expect(consent == before, comment)
            }
        }
    }

    @Test(arguments: seeds)
    func choicesAboutALinkDoNotAffectOthers(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            var consent = history.consent(rules)
            let others = RandomHistory.questions.filter { $0.key != show }
            let before = others.map(consent.allows)
            consent.pin(show, in: family, message: "another", at: Self.later)
            #expect(others.map(consent.allows) == before, comment)
            consent.remove(show, at: Self.latest)
            #expect(others.map(consent.allows) == before, comment)
        }
    }
}
