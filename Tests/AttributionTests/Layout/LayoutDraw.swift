import Attribution
import WaypostSchema
import WaypostTestSupport

/// Random contents and preferences for a seed.
struct LayoutDraw {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    private static let words = [
        "Enrique", "Sarah", "Jo", "van der Berg", "Łukasz", "田中さくら", "王小明", "김민준", "ﾏﾘｱ", "Жанна", "محمد",
        "👩‍👩‍👧‍👦", "Zoe\u{308}", "क्षितिज", "W", "\u{301}", "i", "ＡＢＣ", "❤️", "—",
    ]

    mutating func content() -> AttributionContent {
        let people = Int.random(in: 1...7, using: &generator)
        let names = (0..<people).map { _ in
            let count = Int.random(in: 1...4, using: &generator)
            return (0..<count).map { _ in Self.words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
        }
        let language = AttributionLanguage.allCases.randomElement(using: &generator) ?? .english
        return AttributionContent(names, isPinned: Bool.random(using: &generator), in: language)
    }

    mutating func category() -> ContentSizeCategory {
        ContentSizeCategory.allCases.randomElement(using: &generator) ?? .large
    }

    mutating func preferences() -> AttributionPreferences {
        AttributionPreferences(
            displayContext: Bool.random(using: &generator) ? .summary : .detail,
            horizontalAlignment: AttributionPreferences.HorizontalAlignment.allCases.randomElement(using: &generator)
                ?? .default,
            preferredMaxLayoutWidth: Bool.random(using: &generator) ? 0 : .random(in: 0...600, using: &generator),
            width: Bool.random(using: &generator) ? nil : .random(in: 0...600, using: &generator),
            height: Bool.random(using: &generator) ? nil : .random(in: 0...120, using: &generator)
        )
    }
}
