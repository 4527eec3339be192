import Attribution
import Testing
import WaypostTestSupport

@Suite(.proves("B19")) struct NameListTests {
    struct Case: Sendable {
        let names: [String]
        let others: Int
        let texts: [String]
    }

    /// In the order of the languages; square brackets represent isolates.
    static let cases = [
        Case(names: ["A"], others: 0, texts: ["[A]", "[A]", "[A]", "[A]"]),
        Case(names: ["A", "B"], others: 0, texts: ["[A] and [B]", "[A]和[B]", "[A]、[B]", "[A] 및 [B]"]),
        Case(
            names: ["A", "B", "C"],
            others: 0,
            texts: ["[A], [B], and [C]", "[A]、[B]和[C]", "[A]、[B]、[C]", "[A], [B] 및 [C]"]
        ),
        Case(
            names: ["A", "B", "C", "D"],
            others: 0,
            texts: ["[A], [B], [C], and [D]", "[A]、[B]、[C]和[D]", "[A]、[B]、[C]、[D]", "[A], [B], [C] 및 [D]"]
        ),
        Case(names: ["A"], others: 1, texts: ["[A] and 1 other", "[A]和另外1人", "[A]、ほか1人", "[A] 외 1명"]),
        Case(names: ["A"], others: 2, texts: ["[A] and 2 others", "[A]和另外2人", "[A]、ほか2人", "[A] 외 2명"]),
        Case(
            names: ["A", "B"],
            others: 1,
            texts: ["[A], [B], and 1 other", "[A]、[B]和另外1人", "[A]、[B]、ほか1人", "[A], [B] 외 1명"]
        ),
        Case(
            names: ["A", "B"],
            others: 2,
            texts: ["[A], [B], and 2 others", "[A]、[B]和另外2人", "[A]、[B]、ほか2人", "[A], [B] 외 2명"]
        ),
        Case(names: [], others: 2, texts: ["+2", "+2", "+2", "+2"]),
        Case(names: [], others: 0, texts: ["", "", "", ""]),
    ]

    @Test(arguments: cases) func namesAreJoinedByTheRulesOfTheLanguage(_ example: Case) {
        let texts = AttributionLanguage.allCases.map {
            NameList.text(names: example.names, others: example.others, in: $0)
        }
        #expect(texts.map(\.bracketed) == example.texts)
    }

    @Test func numberFollowsTheName() {
        #expect(NameList.text(name: "A", number: 2).bracketed == "[A] +2")
        #expect(NameList.text(name: "A", number: 0).bracketed == "[A]")
        #expect(NameList.number(12) == "+12")
    }

    @Test(arguments: AttributionLanguage.allCases)
    func rightToLeftNameIsIsolated(_ language: AttributionLanguage) {
        let text = NameList.text(names: ["שרה", "فاطمة"], others: 2, in: language)
        #expect(text.contains("\u{2068}שרה\u{2069}"))
        #expect(text.contains("\u{2068}فاطمة\u{2069}"))
    }
}

extension String {
    /// The text with square brackets in place of isolates, to make expectations readable.
    var bracketed: String {
        String(map { $0 == "\u{2068}" ? "[" : $0 == "\u{2069}" ? "]" : $0 })
    }
}
