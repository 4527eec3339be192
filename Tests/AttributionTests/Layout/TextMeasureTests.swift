import Attribution
import Testing

@Suite struct TextMeasureTests {
    /// Texts with their widths in hundredths of the text size: sums of the published advances of Helvetica, and of our
    /// own.
    static let widths: [(String, Int)] = [
        ("", 0),
        ("A", 67), ("m", 83), ("0123456789", 560), (" ", 28), ("+2", 58 + 56), (",", 28), ("…", 100), ("@", 102),
        ("Enrique", 67 + 56 + 33 + 22 + 56 + 56 + 56), ("Will", 94 + 22 + 22 + 22),
        // A letter with marks is as wide as its base letter, composed or not.
        ("é", 56), ("e\u{301}", 56), ("É", 67), ("ł", 22), ("Ž", 61), ("ễ", 56), ("W\u{302}", 94), ("Ŵ", 94),
        ("ß", 61), ("Æ", 100), ("ı", 28),
        // Other alphabets.
        ("и", 60), ("И", 75), ("Ж", 100), ("ж", 85), ("α", 60), ("Ω", 100), ("ש", 60), ("ا", 60), ("ก", 60),
        // East Asian characters.
        ("田", 100), ("さ", 100), ("サ", 100), ("ｻ", 50), ("김", 100), ("김", 100), ("Ａ", 100), ("、", 100), ("及", 100),
        ("和", 100), ("외", 100), ("𠮷", 100), ("か\u{3099}", 100), ("\u{3000}", 100),
        // An emoji is measured as a whole.
        ("😀", 125), ("👩‍👩‍👧‍👦", 125), ("🇯🇵", 125), ("❤️", 125), ("1️⃣", 125), ("👍🏽", 125), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿", 125), ("#", 56), ("©", 74),
        // Invisible characters have no width.
        ("\u{2068}A\u{2069}", 67), ("\u{301}", 0), ("\u{200D}", 0), ("\u{FE0F}", 0),
        // A vowel sign next to its consonant.
        ("का", 90),
    ]

    @Test(arguments: widths) func widthOfATextIsTheSumOfItsClusters(_ text: String, _ hundredths: Int) {
        #expect(TextMeasure(size: 1).width(of: text).rawValue == hundredths)
        #expect(TextMeasure(size: 49).width(of: text).rawValue == 49 * hundredths)
    }

    /// A text, the bound in hundredths of the text size, the least number of clusters, and the result.
    static let fits: [(String, Int, Int, String?)] = [
        ("Enrique", 346, 1, "Enrique"), ("Enrique", 345, 1, "Enriq…"), ("Enrique", 278, 1, "Enri…"),
        ("Enrique", 277, 1, "Enr…"), ("Enrique", 223, 2, "En…"), ("Enrique", 222, 2, nil), ("Enrique", 167, 1, "E…"),
        ("Enrique", 166, 1, nil), ("Enrique", 0, 1, nil), ("", 0, 1, ""),
        ("Jo Ann", 234, 1, "Jo…"), ("Jo Ann", 233, 2, "Jo…"), ("J  Ann", 250, 2, nil),
        ("👩‍👩‍👧‍👦👍🏽👍🏽👍🏽", 350, 2, "👩‍👩‍👧‍👦👍🏽…"), ("e\u{301}e\u{301}eee", 212, 2, "e\u{301}e\u{301}…"),
    ]

    @Test(arguments: fits)
    func textThatDoesNotFitEndsInAnEllipsis(_ text: String, _ room: Int, _ least: Int, _ left: String?) {
        #expect(TextMeasure(size: 1).fitted(text, within: Points(rawValue: room), atLeast: least) == left)
    }

    @Test func longNameIsTruncated() {
        let name = String(repeating: "Enrique ", count: 1_250)
        let fitted = TextMeasure(size: 15).fitted(name, within: Points(200))
        #expect(fitted == "Enrique Enrique Enrique E…")
    }
}
