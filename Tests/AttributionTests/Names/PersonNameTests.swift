import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite(.proves("B19")) struct PersonNameTests {
    static let names: [(person: Person, short: String, full: String)] = [
        (.named("Enrique", "Sánchez"), "Enrique", "Enrique Sánchez"), (.named("Enrique"), "Enrique", "Enrique"),
        (.named(nil, "Sánchez"), "Sánchez", "Sánchez"),
        (.named("Enrique", "Sánchez", nickname: "Kike"), "Kike", "Enrique Sánchez"),
        (.named(nickname: "Kike"), "Kike", "Kike"), (.named("小明", "王"), "王小明", "王小明"),
        (.named("さくら", "田中"), "田中さくら", "田中さくら"), (.named("민수", "김"), "김민수", "김민수"),
        (.named("민수", "김", nickname: "미니"), "미니", "김민수"), (.named("Jackie", "成"), "Jackie", "Jackie 成"),
        (.named("فاطمة", "الزهراء"), "فاطمة", "فاطمة الزهراء"),
        (.named("Anna\nMaria ", "\u{202E}Lee"), "Anna Maria", "Anna Maria Lee"),
        (.named("", " ", nickname: "\u{200B}", handle: "a@b.example"), "a@b.example", "a@b.example"),
        (Person(handle: "+49 170 1234567"), "+49 170 1234567", "+49 170 1234567"),
    ]

    @Test(arguments: names, AttributionLanguage.allCases)
    func personHasAShortAndAFullName(
        _ example: (person: Person, short: String, full: String),
        _ language: AttributionLanguage
    ) {
        let name = PersonName(of: example.person)
        #expect(name.shortName(in: language) == example.short)
        #expect(name.fullName(in: language) == example.full)
    }

    @Test(
        arguments: zip(AttributionLanguage.allCases, ["Unknown Sender", "未知发件人", "不明な差出人", "알 수 없는 발신자"])
    ) func personWithoutANameAndHandleIsUnknown(_ language: AttributionLanguage, _ name: String) {
        #expect(PersonName(of: Person(handle: " \n")).fullName(in: language) == name)
        #expect(PersonName(of: Person(handle: "")).shortName(in: language) == name)
    }

    static let lists: [(people: [Person], names: [String])] = [
        ([.named("Anna", "Lee"), .named("Bo", "Kim")], ["Anna", "Bo"]),
        ([.named("Anna", "Lee"), .named("Anna", "Kim")], ["Anna Lee", "Anna Kim"]),
        ([.named("Anna", "Lee"), .named("Bo", "Kim"), .named("Anna", "Kim")], ["Anna Lee", "Bo", "Anna Kim"]),
        ([.named("Anna", "Lee"), .named("Anna", "Lee")], ["Anna Lee", "Anna Lee"]),
        ([.named("Anna", "Lee"), .named("Annika", "Kim", nickname: "Anna")], ["Anna Lee", "Annika Kim"]),
        ([.named("小明", "王"), .named("小明", "李")], ["王小明", "李小明"]), ([], []),
    ]

    @Test(arguments: lists) func equalShortNamesBecomeFullNames(_ people: [Person], _ names: [String]) {
        #expect(PersonName.names(of: people, in: .english) == names)
    }

    @Test(arguments: Trials.seeds(8, from: 1)) func nameIsPlainAndNeverEmpty(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let texts = (0..<4).map { _ in AnyText.text(upTo: 4, &generator) }
            let person = Person.named(texts[0], texts[1], nickname: texts[2], handle: Handle(rawValue: texts[3]))
            let name = PersonName(of: person)
            for text in [name.shortName(in: .japanese), name.fullName(in: .korean)] {
                #expect(!text.isEmpty && text.isPlain, "\(texts)")
            }
        }
    }
}
