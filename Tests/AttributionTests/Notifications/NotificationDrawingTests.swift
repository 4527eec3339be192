import Attribution
import Testing
import WaypostSchema

@Suite struct NotificationDrawingTests {
    @Test(
        arguments: [
            (0, "now"), (59_999, "now"), (60_000, "1 min ago"), (3_599_999, "59 min ago"), (3_600_000, "1 h ago"),
            (86_399_999, "23 h ago"), (86_400_000, "1 d ago"), (-5_000, "now"),
        ] as [(Int, String)]
    )
    func timeIsInItsGreatestUnit(_ age: Int, _ text: String) {
        #expect(SampleNotifications.card("A", nil, nil, age: age).time == text)
    }

    @Test func notificationWithoutATitleHasTheNameOfItsApp() {
        // The title of such a notification is its text.
        let card = SampleNotifications.card("The bread is ready", nil, "The bread is ready", app: "Recipes")
        #expect((card.title, card.body) == ("Recipes", "The bread is ready"))
        #expect(SampleNotifications.card("A", "", "").subtitle == nil)
    }

    @Test func lockScreenHasTheClockAndEachGroup() {
        let cards = SampleNotifications.cards(in: .english)
        let drawing = NotificationDrawing(lockScreen: cards, at: SampleNotifications.now, in: .english)
        let label = "<title>15:41; Lasso, Season 3, Episode 1, A coach from Kansas"
        for text in [label, ">⁨Season 3, Episode 1⁩<", ">⁨The bread is ready⁩<", ">⁨5 min ago⁩<", ">⁨2 more⁩<"] {
            #expect(drawing.svg().contains(text), "\(text)")
        }
    }

    @Test func bannerIsShorterThanTheEntryOnTheLockScreen() {
        let body = String(repeating: "A long text with many words. ", count: 20)
        let card = SampleNotifications.card("A", nil, body)
        func lines(_ drawing: NotificationDrawing) -> Int {
            drawing.svg().split(separator: "<text ").count - 1
        }
        let banner = NotificationDrawing(banner: card, in: .english)
        let lockScreen = NotificationDrawing(lockScreen: [card], at: SampleNotifications.now, in: .english)
        // A title, a time and two lines; on the Lock Screen two more lines, and the clock.
        #expect((lines(banner), lines(lockScreen)) == (5, 8))
        #expect(banner.svg().contains("…"))
    }

    @Test func iconOfAnAppHasItsLetterAndAlwaysTheSameColor() {
        let (first, second) = (SampleNotifications.card("A", nil, nil), SampleNotifications.card("B", nil, nil))
        func gradient(_ card: NotificationCard) -> Substring? {
            NotificationDrawing(banner: card, in: .english).svg().firstMatch(of: /stop-color="([^"]+)"/)?.output.1
        }
        #expect(gradient(first) != nil)
        #expect(gradient(first) == gradient(second))
        #expect(NotificationDrawing(banner: first, in: .english).svg().contains(">T<"))
    }

    @Test func avatarOfTheSenderIsInThePlaceOfTheIcon() {
        let sender = ShownPerson(name: "Enrique Baez", monogram: .letters("EB"), color: AvatarColor(index: 3))
        let card = SampleNotifications.card("Hi", nil, nil, sender: sender)
        let svg = NotificationDrawing(banner: card, in: .english).svg()
        #expect(svg.contains("<circle"))
        #expect(svg.contains(">EB<"))
        #expect(!svg.contains(">T<"))
        let plain = NotificationDrawing(banner: SampleNotifications.card("Hi", nil, nil), in: .english).svg()
        #expect(!plain.contains("<circle"))
    }

    @Test func emptyLockScreenHasTheClockOnly() {
        let drawing = NotificationDrawing(lockScreen: [], at: SampleNotifications.now, in: .english)
        #expect(drawing.svg().contains("<title>15:41</title>"))
    }
}
