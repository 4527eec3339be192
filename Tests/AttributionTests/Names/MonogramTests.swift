import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct MonogramTests {
    struct Case: CustomTestStringConvertible {
        let person: Person
        let letters: String

        init(_ person: Person, _ letters: String) {
            self.person = person
            self.letters = letters
        }

        var testDescription: String { letters }
    }

    static let alphabets = [
        Case(.named("Enrique", "Sánchez"), "ES"), Case(.named("sarah", "kim"), "SK"), Case(.named("Enrique"), "E"),
        Case(.named(nil, "Sánchez"), "S"), Case(.named("Anna Maria", "Lee"), "AL"), Case(.named("Anna Maria"), "AM"),
        Case(.named(nil, "de la Cruz"), "DC"), Case(.named("Ada", "van der Berg"), "AV"),
        Case(.named(nickname: "van der Berg"), "VB"), Case(.named(nickname: "Bo"), "B"),
        Case(.named("Jean-Luc", "Picard"), "JP"), Case(.named("ßara", "ﬁnch"), "SF"), Case(.named("E\u{301}va"), "É"),
        Case(.named("e\u{301}va", "ångström"), "ÉÅ"), Case(.named("ŉoko", "ŉ\u{301}"), "NŃ"),
        Case(.named("“Bo”", "(Lee)"), "BL"), Case(.named("ʻIolani"), "I"),
        Case(.named("анна", "иванова"), "АИ"), Case(.named("ελένη", "άλκη"), "ΕΆ"), Case(.named("նարե", "սար"), "ՆՍ"),
        Case(.named("ნინო", "გელაშვილი"), "ნგ"), Case(.named(nickname: "Anna Lee 🎉"), "AL"),
        Case(.named(nickname: "Anna 3"), "A"), Case(.named("Jackie", "成"), "J成"), Case(.named("Anna", "🌸"), "A"),
        Case(.named("Enrique", "Sánchez", nickname: "Kike"), "ES"),
        Case(.named(" \n", "\u{200B}", nickname: "Kike"), "K"),
    ]

    static let eastAsian = [
        Case(.named("小明", "王", language: "zh"), "王小"), Case(.named("小明", "王", language: "zh-Hant-TW"), "王小"),
        Case(.named("小明", "王"), "王"), Case(.named("小明", "王", language: "en"), "王"),
        Case(.named("太郎", "田中", language: "ja"), "太"), Case(.named("太郎", "田中", language: "ja_JP"), "太"),
        Case(.named("太郎", language: "zh"), "太"), Case(.named(nil, "欧阳", language: "zh"), "欧"),
        Case(.named(nil, "田中", language: "ja"), "田"), Case(.named(nickname: "小明", language: "ja"), "小"),
        Case(.named(nil, "王 小明", language: "zh"), "王"), Case(.named("さくら", "田中"), "さ"),
        Case(.named("さくら", "田中", language: "zh"), "さ"), Case(.named("太郎", "たなか", language: "zh"), "太"),
        Case(.named(nickname: "たろう"), "た"), Case(.named(nickname: "ヨシ"), "ヨ"), Case(.named("민수", "김"), "김"),
        Case(.named("민", "남궁"), "남궁"), Case(.named("민", "김1"), "김"), Case(.named("민수"), "민"),
        Case(.named(nil, "김민수"), "김"),
        Case(.named(nickname: "남궁민"), "남"), Case(.named("김 민수"), "김"), Case(.named("哲秀", "김"), "김"),
        Case(.named("\u{1106}\u{1175}\u{11AB}", "\u{1100}\u{1175}\u{11B7}"), "김"),
    ]

    static let others = [
        Case(.named("فاطمة", "الزهراء"), "ف"), Case(.named("שרה", "כהן"), "ש"), Case(.named("שָׁרה"), "שָׁ"),
        Case(.named("สมชาย", "ใจดี"), "ส"), Case(.named("क्षमा", "राय"), "क्ष"), Case(.named("አበበ"), "አ"),
        Case(.named("👩‍👩‍👧‍👦 Lee", "Kim"), "👩‍👩‍👧‍👦"), Case(.named("🦊"), "🦊"), Case(.named(nickname: "❤️ Mum"), "❤️"),
        Case(.named(nickname: "“👍🏽”"), "👍🏽"), Case(.named(nickname: "🇩🇪"), "🇩🇪"),
    ]

    @Test(.proves("B20"), arguments: alphabets + eastAsian + others)
    func scriptOfTheNameDeterminesTheMonogram(_ example: Case) {
        #expect(Monogram(of: example.person) == .letters(example.letters))
    }

    static let nameless: [Person] = [
        Person(handle: "+49 170 1234567"), Person(handle: "anna@example.com"), Person(handle: ""), .named(),
        .named(""), .named("+49 170 1234567"), .named("007"), .named("1️⃣"), .named(nickname: "@anna"),
        .named(nickname: "anna@example.com"), .named("2", "Chainz"), .named("$am"), .named("\u{301}"),
        .named("☺\u{FE0E}"),
        .named("…"), .named("1-800-FLOWERS"),
    ]

    @Test(arguments: nameless) func personWithoutANameIsASilhouette(_ person: Person) {
        #expect(Monogram(of: person) == .silhouette)
    }

    @Test func monogramBeginsWithALetterOrAnEmoji() {
        for scalar in (0x21...0x1_FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
            guard case .letters(let letters) = Monogram(of: .named(String(scalar))) else { continue }
            let first = letters.unicodeScalars.first ?? "'"
            let isModifier = ("\u{02B0}"..."\u{02FF}").contains(first)
            let isLetter = first.properties.isAlphabetic && !isModifier
            #expect(isLetter || scalar.properties.isEmoji, "\(scalar.value)")
        }
    }

    @Test(arguments: Trials.seeds(8, from: 1))
    func monogramIsPlainAndHasNoDigit(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let texts = (0..<3).map { _ in AnyText.text(upTo: 4, &generator) }
            let language = ["ja", "zh", "ko", nil].randomElement(using: &generator).flatMap(\.self)
            let person = Person.named(texts[0], texts[1], nickname: texts[2], language: language)
            guard case .letters(let letters) = Monogram(of: person) else { continue }
            #expect((1...2).contains(letters.count), "\(texts)")
            #expect(letters.isPlain && letters == PlainText.plain(letters), "\(texts)")
            #expect(letters.allSatisfy { !("0"..."9").contains($0) && $0 != "@" && $0 != " " }, "\(texts)")
        }
    }
}
