import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct RemovalTests {
    private let everyone: [ConsentQuestion] = [tv, news].flatMap { app in
        [family, friends].map { ConsentQuestion(key: show, app: app, conversation: $0) }
    }

    private let sharedAutomatically = ConsentBook {
        $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(1))
        $0.setAutomaticSharing(of: news, isOn: true, at: .choice(2))
    }

    @Test(.proves("B28"))
    func removedLinkIsHiddenFromAllAppsAndConversations() {
        var book = sharedAutomatically
        #expect(everyone.allSatisfy(book.allows))
        book.remove(show, at: .choice(3))
        for question in everyone {
            let verdicts = book.verdicts(on: question)
            #expect(verdicts.all.filter { !$0.isAllowed } == [verdicts.removal])
            #expect(verdicts.removal.rule == .removed)
            #expect(verdicts.removal.record == .removal(at: 3_000))
        }
        #expect(book.allows(ConsentQuestion(key: film, app: tv, conversation: family)))
    }

    @Test(arguments: [ConsentRules(), .always])
    func removalGoesBeforeAnEarlierPin(_ rules: ConsentRules) {
        let book = ConsentBook(rules) {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.remove(show, at: .choice(2))
        }
        #expect(!book.allows(.showFromFamily))
        #expect(book.verdicts(on: .showFromFamily).removal.rule == .removed)
    }

    @Test func laterPinInAnyConversationBringsTheLinkBack() {
        let book = ConsentBook {
            $0.remove(show, at: .choice(1))
            $0.pin(show, in: friends, message: "m1", at: .choice(2))
        }
        #expect(book.allows(.showFromFamily))
        let removal = book.verdicts(on: .showFromFamily).removal
        #expect(removal.rule == .pinnedAfterRemoval)
        #expect(removal.record == .pin(friends, "m1", at: 2_000))
    }

    @Test func removalCountsAgainWhereThatPinIsTakenAway() {
        var book = sharedAutomatically
        book.remove(show, at: .choice(3))
        book.pin(show, in: family, message: "m1", at: .choice(4))
        book.unpin(show, message: "m1")
        #expect(!book.allows(.showFromFamily))
    }

    @Test func removingAgainIsTheLaterChoice() {
        let book = ConsentBook {
            $0.remove(show, at: .choice(1))
            $0.pin(show, in: family, message: "m1", at: .choice(2))
            $0.remove(show, at: .choice(3))
        }
        #expect(!book.allows(.showFromFamily))
    }

    @Test func restoringUndoesARemovalAndSaysWhetherThereWasOne() {
        var book = sharedAutomatically
        book.remove(show, at: .choice(3))
        #expect(book.restore(show) == true)
        #expect(book.allows(.showFromFamily))
        #expect(book.restore(show) == false)
        #expect(book == sharedAutomatically)
    }
}
