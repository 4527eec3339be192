import Consent
import Testing
import WaypostSchema

@Suite struct PinTests {
    @Test func pinsOfALinkAreListedFromTheEarliestToTheLatest() {
        let book = ConsentBook {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.pin(film, in: family, message: "m2", at: .choice(2))
            $0.pin(show, in: friends, message: "m3", at: .choice(3))
            $0.pin(show, in: family, message: "m1", at: .choice(4))
        }
        #expect(
            book.pins(of: show) == [
                Pin(conversation: friends, message: "m3", moment: .choice(3)),
                Pin(conversation: family, message: "m1", moment: .choice(4)),
            ]
        )
        #expect(book.pins(of: "https://tv.example/other").isEmpty)
    }

    @Test(arguments: [[1, 2], [2, 1]])
    func repetitionIsNotNewAndTheLaterMomentStays(numbers: [Int]) {
        var book = ConsentBook()
        let occasions = numbers.map { book.pin(show, in: family, message: "m1", at: .choice($0)) }
        #expect(occasions.map(\.isNew) == [true, false])
        #expect(book.pins(of: show).map(\.moment) == [.choice(2)])
    }

    @Test func unpinningTakesAwayThePinOfThatMessageOnly() {
        var book = ConsentBook {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.pin(show, in: friends, message: "m2", at: .choice(2))
        }
        #expect(book.unpin(show, message: "m1") == true)
        #expect(book.allows(.showFromFamily))
        #expect(book.unpin(show, message: "m1") == false)
        #expect(book.unpin(film, message: "m2") == false)
        #expect(book.unpin(show, message: "m2") == true)
        #expect(!book.allows(.showFromFamily))
    }

    @Test func anotherKeyTakesOverPinsAndRemoval() {
        var book = ConsentBook {
            $0.pin(film, in: family, message: "m1", at: .choice(1))
            $0.remove(film, at: .choice(2))
        }
        book.rekey(film, to: show)
        let expected = ConsentBook {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.remove(show, at: .choice(2))
        }
        #expect(book == expected)
    }

    @Test func pinsOfTwoKeysAreListedInTheirOrderOnceTheyAreOne() {
        var book = ConsentBook {
            $0.pin(film, in: family, message: "m1", at: .choice(1))
            $0.pin(show, in: family, message: "m2", at: .choice(2))
            $0.pin(film, in: family, message: "m3", at: .choice(3))
        }
        book.rekey(film, to: show)
        #expect(book.pins(of: show).map(\.message) == ["m1", "m2", "m3"])
    }

    @Test(arguments: [(1, 2), (2, 1)])
    func laterOfTwoRemovalsAndOfTwoPinsOfAMessageStays(old: Int, new: Int) {
        var book = ConsentBook {
            $0.pin(film, in: family, message: "m1", at: .choice(old))
            $0.pin(show, in: family, message: "m1", at: .choice(new))
            $0.remove(film, at: .choice(old))
            $0.remove(show, at: .choice(new))
        }
        book.rekey(film, to: show)
        let expected = ConsentBook {
            $0.pin(show, in: family, message: "m1", at: .choice(2))
            $0.remove(show, at: .choice(2))
        }
        #expect(book == expected)
    }

    @Test func keyThatStaysTheSameLosesNothing() {
        let before = ConsentBook {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.remove(show, at: .choice(2))
        }
        var book = before
        book.rekey(show, to: show)
        #expect(book == before)
    }
}
