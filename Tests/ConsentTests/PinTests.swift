import Consent
import Testing
import WaypostSchema

@Suite struct PinTests {
    @Test func pinsOfALinkAreListedInOrder() {
        let consent = ConsentChoices {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.pin(film, in: family, message: "m2", at: .choice(2))
            $0.pin(show, in: friends, message: "m3", at: .choice(3))
            $0.pin(show, in: family, message: "m1", at: .choice(4))
        }
        #expect(
            consent.pins(of: show) == [
                Pin(conversation: friends, message: "m3", moment: .choice(3)),
                Pin(conversation: family, message: "m1", moment: .choice(4)),
            ]
        )
        #expect(consent.pins(of: "https://tv.example/other").isEmpty)
    }

    @Test(arguments: [[1, 2], [2, 1]])
    func repeatedPinIsNotNewAndKeepsTheLaterMoment(numbers: [Int]) {
        var consent = ConsentChoices()
        let occasions = numbers.map { consent.pin(show, in: family, message: "m1", at: .choice($0)) }
        #expect(occasions.map(\.isNew) == [true, false])
        #expect(consent.pins(of: show).map(\.moment) == [.choice(2)])
    }

    @Test func unpinningRemovesOnlyThePinOfThatMessage() {
        var consent = ConsentChoices {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.pin(show, in: friends, message: "m2", at: .choice(2))
        }
        #expect(consent.unpin(show, message: "m1") == true)
        #expect(consent.allows(.showFromFamily))
        #expect(consent.unpin(show, message: "m1") == false)
        #expect(consent.unpin(film, message: "m2") == false)
        #expect(consent.unpin(show, message: "m2") == true)
        #expect(!consent.allows(.showFromFamily))
    }

    @Test func newKeyTakesOverPinsAndRemoval() {
        var consent = ConsentChoices {
            $0.pin(film, in: family, message: "m1", at: .choice(1))
            $0.remove(film, at: .choice(2))
        }
        consent.rekey(film, to: show)
        let expected = ConsentChoices {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.remove(show, at: .choice(2))
        }
        #expect(consent == expected)
    }

    @Test func pinsOfTwoMergedKeysAreListedInOrder() {
        var consent = ConsentChoices {
            $0.pin(film, in: family, message: "m1", at: .choice(1))
            $0.pin(show, in: family, message: "m2", at: .choice(2))
            $0.pin(film, in: family, message: "m3", at: .choice(3))
        }
        consent.rekey(film, to: show)
        #expect(consent.pins(of: show).map(\.message) == ["m1", "m2", "m3"])
    }

    @Test(arguments: [(1, 2), (2, 1)])
    func laterOfTwoRemovalsAndLaterOfTwoPinsStay(old: Int, new: Int) {
        var consent = ConsentChoices {
            $0.pin(film, in: family, message: "m1", at: .choice(old))
            $0.pin(show, in: family, message: "m1", at: .choice(new))
            $0.remove(film, at: .choice(old))
            $0.remove(show, at: .choice(new))
        }
        consent.rekey(film, to: show)
        let expected = ConsentChoices {
            $0.pin(show, in: family, message: "m1", at: .choice(2))
            $0.remove(show, at: .choice(2))
        }
        #expect(consent == expected)
    }

    @Test func unchangedKeyLosesNothing() {
        let before = ConsentChoices {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.remove(show, at: .choice(2))
        }
        var consent = before
        consent.rekey(show, to: show)
        #expect(consent == before)
    }
}
