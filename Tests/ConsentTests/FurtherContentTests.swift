import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

/// Automatic sharing permits further content: the links that come after it was turned on.
@Suite struct FurtherContentTests {
    private static func question(eventNumber: Int?) -> ConsentQuestion {
        ConsentQuestion(key: film, app: tv, conversation: friends, eventNumber: eventNumber)
    }

    @Test(.proves("B44", "B101"), arguments: [(1, false), (9, false), (11, true), (nil, true)] as [(Int?, Bool)])
    func onlyLaterLinksAreAvailable(_ eventNumber: Int?, _ isAllowed: Bool) {
        let consent = ConsentChoices { $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(10)) }
        let question = Self.question(eventNumber: eventNumber)
        #expect(consent.allows(question) == isAllowed)
        let permission = consent.verdicts(on: question).permission
        #expect(permission.rule == (isAllowed ? .automaticSharing : .beforeAutomaticSharing))
        #expect(permission.record == .automaticSharing(tv, isOn: true, at: 10_000))
    }

    @Test(.proves("B44", "B101"), arguments: [false, true])
    func acceptingTheOfferIncludesEarlierLinksOnlyIfTheRulesSaySo(isIncluded: Bool) {
        var consent = ConsentChoices(rules: ConsentRules(automaticSharingIncludesEarlier: isIncluded))
        let pin = consent.pin(show, in: family, message: "m1", at: .choice(2))
        #expect(consent.considerOffer(for: tv, after: pin).isOffered)
        let isAnswered = consent.answerOffer(.accepted, for: tv, at: .choice(3))
        #expect(isAnswered)
        #expect(consent.allows(Self.question(eventNumber: 1)) == isIncluded)
        #expect(consent.allows(Self.question(eventNumber: 4)))
        // Pinned links stay available.
        #expect(consent.allows(ConsentQuestion(key: show, app: tv, conversation: family, eventNumber: 1)))
    }

    @Test func theFirstOfSeveralChoicesCountsWhileItIsOn() {
        var consent = ConsentChoices { $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(1)) }
        consent.setAutomaticSharing(of: tv, isOn: true, at: .choice(3))
        #expect(consent.allows(Self.question(eventNumber: 2)))
        consent.setAutomaticSharing(of: tv, isOn: false, at: .choice(4))
        consent.setAutomaticSharing(of: tv, isOn: true, at: .choice(5))
        #expect(!consent.allows(Self.question(eventNumber: 2)))
    }
}
