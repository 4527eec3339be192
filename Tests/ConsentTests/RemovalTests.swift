import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct RemovalTests {
    private let everyone: [ConsentQuestion] = [tv, news].flatMap { app in
        [family, friends].map { ConsentQuestion(key: show, app: app, conversation: $0) }
    }

    private let sharedAutomatically = ConsentChoices {
        $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(1))
        $0.setAutomaticSharing(of: news, isOn: true, at: .choice(2))
    }

    @Test(.proves("B28"))
    func removedLinkIsHiddenFromAllAppsAndConversations() {
        var consent = sharedAutomatically
        #expect(everyone.allSatisfy(consent.allows))
        consent.remove(show, at: .choice(3))
        for question in everyone {
            let verdicts = consent.verdicts(on: question)
            #expect(verdicts.all.filter { !$0.isAllowed } == [verdicts.removal])
            #expect(verdicts.removal.rule == .removed)
            #expect(verdicts.removal.record == .removal(at: 3_000))
        }
        #expect(consent.allows(ConsentQuestion(key: film, app: tv, conversation: family)))
    }

    @Test(arguments: [ConsentRules(), .latestChoice])
    func removalOverridesAnEarlierPin(_ rules: ConsentRules) {
        let consent = ConsentChoices(rules) {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.remove(show, at: .choice(2))
        }
        #expect(!consent.allows(.showFromFamily))
        #expect(consent.verdicts(on: .showFromFamily).removal.rule == .removed)
    }

    @Test func laterPinInAnyConversationOverridesTheRemoval() {
        let consent = ConsentChoices {
            $0.remove(show, at: .choice(1))
            $0.pin(show, in: friends, message: "m1", at: .choice(2))
        }
        #expect(consent.allows(.showFromFamily))
        let removal = consent.verdicts(on: .showFromFamily).removal
        #expect(removal.rule == .pinnedAfterRemoval)
        #expect(removal.record == .pin(friends, "m1", at: 2_000))
    }

    @Test func removalCountsAgainAfterThePinIsRemoved() {
        var consent = sharedAutomatically
        consent.remove(show, at: .choice(3))
        consent.pin(show, in: family, message: "m1", at: .choice(4))
        consent.unpin(show, message: "m1")
        #expect(!consent.allows(.showFromFamily))
    }

    @Test func removingAgainIsTheLaterChoice() {
        let consent = ConsentChoices {
            $0.remove(show, at: .choice(1))
            $0.pin(show, in: family, message: "m1", at: .choice(2))
            $0.remove(show, at: .choice(3))
        }
        #expect(!consent.allows(.showFromFamily))
    }

    @Test func restoringUndoesARemovalAndReturnsWhetherItExisted() {
        var consent = sharedAutomatically
        consent.remove(show, at: .choice(3))
        #expect(consent.restore(show) == true)
        #expect(consent.allows(.showFromFamily))
        #expect(consent.restore(show) == false)
        #expect(consent == sharedAutomatically)
    }
}
