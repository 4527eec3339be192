import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct ConsentPropertyTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4]
    private static let rounds = 250
    private static let later = ChoiceMoment.choice(1_000)
    private static let latest = ChoiceMoment.choice(1_001)

    /// Calls `check` with random histories and what they are told by.
    private func forEachHistory(
        _ seed: UInt64,
        _ check: (_ history: RandomHistory, _ rules: ConsentRules, _ comment: Comment) -> Void
    ) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let history = RandomHistory(using: &generator)
            for rules in [ConsentRules(), .always] {
                check(history, rules, "seed \(seed), round \(round): \(history.steps)")
            }
        }
    }

    @Test(arguments: seeds)
    func shortAnswerIsThatOfTheVerdicts(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            let book = history.book(rules)
            for question in RandomHistory.questions {
                let verdicts = book.verdicts(on: question)
                #expect(book.allows(question) == verdicts.isAllowed, comment)
                #expect(verdicts.isAllowed == verdicts.all.allSatisfy(\.isAllowed), comment)
                #expect(verdicts.isAllowed == (verdicts.refusal == nil), comment)
                #expect(verdicts.rules == verdicts.all.map(\.rule), comment)
            }
        }
    }

    @Test(arguments: seeds)
    func answersAreThoseOfTheRulesToldAnotherWay(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            let book = history.book(rules)
            let oracle = ConsentOracle(history, isAlways: rules.pinnedIsAlwaysAvailable)
            for question in RandomHistory.questions {
                #expect(book.allows(question) == oracle.allows(question), "\(question) \(comment)")
            }
        }
    }

    @Test(arguments: seeds)
    func offAndOnAgainIsAsThoughNothingHappened(seed: UInt64) {
        let scopes: [SharingScope] = [.everywhere, .app(tv), .conversation(family)]
        forEachHistory(seed) { history, rules, comment in
            for scope in scopes {
                var book = history.book(rules)
                book.setSharing(scope, isOn: true, at: Self.later)
                let before = book
                book.setSharing(scope, isOn: false, at: Self.later)
                book.setSharing(scope, isOn: true, at: Self.latest)
                #expect(book == before, comment)
            }
        }
    }

    @Test(arguments: seeds)
    func pinTakenAwayAgainIsAsThoughNothingHappened(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            for key in RandomHistory.keys {
                let before = history.book(rules)
                var book = before
                book.pin(key, in: family, message: "another", at: Self.later)
                #expect(book.unpin(key, message: "another") == true, comment)
                #expect(book == before, comment)
            }
        }
    }

    @Test(arguments: seeds)
    func removalUndoneIsAsThoughNothingHappened(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            for key in RandomHistory.keys {
                var book = history.book(rules)
                book.restore(key)
                let before = book
                book.remove(key, at: Self.later)
                #expect(book.restore(key) == true, comment)
                #expect(book == before, comment)
            }
        }
    }

    @Test(arguments: seeds)
    func choicesAboutOneLinkDoNotTouchAnother(seed: UInt64) {
        forEachHistory(seed) { history, rules, comment in
            var book = history.book(rules)
            let others = RandomHistory.questions.filter { $0.key != show }
            let before = others.map(book.allows)
            book.pin(show, in: family, message: "another", at: Self.later)
            #expect(others.map(book.allows) == before, comment)
            book.remove(show, at: Self.latest)
            #expect(others.map(book.allows) == before, comment)
        }
    }
}
