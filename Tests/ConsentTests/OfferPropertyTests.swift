import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

/// Invariants of offers for any actions of a user, checked against a complete diary of random months.
@Suite struct OfferPropertyTests {
    private struct Diary {
        var pinDays: [Int] = []
        var offerDays: [Int] = []
        var refusalDays: [Int] = []
        var isOn = false
        var isOff = false

        /// Returns whether another pin on `day` brings an offer.
        func hasOffer(on day: Int) -> Bool {
            let isQuiet = (offerDays + refusalDays).contains { day < $0 + 14 }
            let recent = pinDays.filter { $0 >= day - 30 }.count
            return !isOn && !isOff && !isQuiet && refusalDays.count < 2 && (offerDays.isEmpty || recent >= 2)
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func offerIsMadeExactlyWhenTheDiaryExpectsIt(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<100 {
            var person = Person()
            var diary = Diary()
            var day = 0
            for step in 0..<30 {
                day += [0, 1, 5, 9, 16].randomElement(using: &generator) ?? 0
                live(day, &person, &diary, &generator, "seed \(seed), round \(round), step \(step)")
            }
        }
    }

    private func live(
        _ day: Int,
        _ person: inout Person,
        _ diary: inout Diary,
        _ generator: inout SeededGenerator,
        _ comment: Comment
    ) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0:
            let answer = OfferAnswer.allCases.randomElement(using: &generator) ?? .ignored
            let isEntered = person.answers(answer, day: day)
            if isEntered, answer == .declined { diary.refusalDays.append(day) }
            if isEntered, answer == .accepted { diary.isOn = true }
        case 1:
            diary.isOn = Int.random(in: 0..<4, using: &generator) == 0
            person.consent.setAutomaticSharing(of: tv, isOn: diary.isOn, at: person.next(day: day))
        case 2:
            diary.isOff = Int.random(in: 0..<4, using: &generator) == 0
            person.consent.setSharing(.app(tv), isOn: !diary.isOff, at: person.next(day: day))
        default:
            if !diary.isOn { diary.pinDays.append(day) }
            let expected = diary.hasOffer(on: day)
            #expect(person.pins(day: day).isOffered == expected, comment)
            if expected { diary.offerDays.append(day) }
        }
    }
}
