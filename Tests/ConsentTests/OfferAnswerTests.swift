import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct OfferAnswerTests {
    @Test(.proves("B43", "B44"))
    func acceptingTheOfferTurnsAutomaticSharingOn() {
        var person = Person()
        person.pins(day: 0)
        let other = ConsentQuestion(key: film, app: tv, conversation: friends)
        #expect(!person.consent.allows(other))
        #expect(person.answers(.accepted, day: 1) == true)
        #expect(person.consent.allows(other))
        let permission = person.consent.verdicts(on: other).permission
        #expect(permission.record == .automaticSharing(tv, isOn: true, at: Timestamp.day(1).rawValue))
    }

    @Test(arguments: [OfferAnswer.declined, .ignored])
    func otherAnswersLeaveAutomaticSharingOff(_ answer: OfferAnswer) {
        var person = Person()
        person.pins(day: 0)
        #expect(person.answers(answer, day: 1) == true)
        #expect(!person.consent.allows(ConsentQuestion(key: film, app: tv, conversation: friends)))
    }

    @Test(arguments: OfferAnswer.allCases)
    func answerWithoutAnOpenOfferChangesNothing(_ answer: OfferAnswer) {
        var person = Person()
        person.pins(day: 0, for: news)
        let before = person.consent
        #expect(person.answers(answer, day: 1) == false)
        #expect(person.consent == before)
    }

    @Test(arguments: OfferAnswer.allCases)
    func offerCanBeAnsweredOnce(_ answer: OfferAnswer) {
        var person = Person()
        person.pins(day: 0)
        #expect(person.answers(answer, day: 1) == true)
        #expect(person.answers(.accepted, day: 1) == false)
    }

    @Test func turningAutomaticSharingOnManuallyClosesTheOffer() {
        var person = Person()
        person.pins(day: 0)
        person.consent.setAutomaticSharing(of: tv, isOn: true, at: person.next(day: 1))
        #expect(person.answers(.declined, day: 2) == false)
    }

    @Test func turningAutomaticSharingOffManuallyKeepsTheOfferOpen() {
        var person = Person()
        person.pins(day: 0)
        person.consent.setAutomaticSharing(of: tv, isOn: false, at: person.next(day: 1))
        #expect(person.answers(.accepted, day: 2) == true)
    }

    @Test func ignoringTheOfferIsNotARefusal() {
        var person = Person()
        for day in [0, 15, 30, 45] {
            #expect(person.pins(day: day).isOffered)
            #expect(person.answers(.ignored, day: day) == true)
        }
    }

    @Test func unansweredOfferCountsAsIgnoredAfterTheQuietPeriod() {
        var person = Person()
        for day in [0, 15, 30, 45] {
            #expect(person.pins(day: day).isOffered)
        }
        #expect(person.pins(day: 90).reason == .tooFewPins)
        #expect(person.answers(.declined, day: 90) == false)
    }

    @Test func offerMayBeAnsweredLateUntilTheNextPin() {
        var person = Person()
        person.pins(day: 0)
        #expect(person.answers(.accepted, day: 100) == true)
    }

    @Test func refusalRestartsTheQuietPeriod() {
        var person = Person()
        person.pins(day: 0)
        #expect(person.answers(.declined, day: 10) == true)
        #expect(person.pins(day: 23).reason == .quiet)
        #expect(person.pins(day: 24).reason == .morePins)
    }

    @Test func offerAfterAcceptingAndTurningOffFollowsTheSameRules() {
        var person = Person()
        person.pins(day: 0)
        #expect(person.answers(.accepted, day: 1) == true)
        person.consent.setAutomaticSharing(of: tv, isOn: false, at: person.next(day: 2))
        #expect(person.pins(day: 3).reason == .quiet)
        #expect(person.pins(day: 14).reason == .morePins)
    }
}
