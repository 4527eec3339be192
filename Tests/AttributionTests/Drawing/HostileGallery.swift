import Attribution
import WaypostSchema

/// Names that could draw outside of their bounds, in every kind of picture that shows names.
enum HostileGallery {
    static let all = names.flatMap { name, text in
        sizes.flatMap { size in
            pictures(of: text, size).map { kind, picture in
                var picture = picture
                picture.name = "hostile-\(name)-\(kind)-\(size.rawValue)"
                picture.isOfAnyScript = true
                return picture
            }
        }
    }

    private static let sizes = [ContentSizeCategory.extraSmall, .accessibilityExtraExtraExtraLarge]

    private static let names: [(name: String, text: String)] = [
        ("override", "\u{202E}txt.exe\u{202C}\u{202E}"), ("isolates", "\u{2067}Ann\u{2069}\u{2069}\u{2069}\u{2066}Lee"),
        ("marks", String(repeating: "E" + String(repeating: "\u{301}", count: 20), count: 3)),
        ("marks-below", String(repeating: "g" + String(repeating: "\u{323}", count: 20), count: 3)),
        ("circles", "A\u{20DD}\u{20DE}B\u{20E0}\u{489}C\u{20E3}"), ("families", String(repeating: "👩‍👩‍👧‍👦", count: 20)),
        ("ten-thousand", String(repeating: "Wm田한", count: 2_500)),
        ("one-word", String(repeating: "Wolfeschlegelsteinhausen", count: 4)),
        ("arabic", "فاطمة الزهراء بنت محمد"), ("ligature", "﷽ﷺ"), ("hebrew", "שָׁרָה בַּת־שֶׁבַע"), ("thai", "ที่รัก น้ำผึ้ง"),
        ("devanagari", "क्षितिज श्रीवास्तव"), ("script", "<script>alert(1)</script>"), ("image", "\"><image href=\"x\"/>"),
    ]

    private static func pictures(
        of text: String,
        _ size: ContentSizeCategory
    ) -> [(kind: String, picture: Picture)] {
        let people = [Person.contact(text, text), .contact(text, nil), .contact("Ann", text)]
        let views = [60, 240, 700].map { width in
            let preferences = AttributionPreferences(preferredMaxLayoutWidth: Double(width))
            let drawing = AttributionDrawing.of(people, isPinned: true, preferences: preferences, size: size)
            return ("view-\(width)", Picture("", drawing))
        }
        let content = AttributionContent(.shared(by: people, in: text), in: .english)
        return views + [
            ("shelf", shelf(text, content, size)), ("menu", menu(text, content, size)),
            ("notification", notification(text, size)),
        ]
    }

    private static func shelf(_ text: String, _ content: AttributionContent, _ size: ContentSizeCategory) -> Picture {
        let preview = LinkPreview(url: "https://a.example/1", title: text, subtitle: text)
        let card = ShelfCard(url: preview.url, preview: preview, attribution: content)
        let shelf = ShelfContent([card], ShowMore(items: 2, after: 1), in: .english)
        return Picture("", ShelfDrawing(shelf, preferredContentSizeCategory: size))
    }

    private static func notification(_ text: String, _ size: ContentSizeCategory) -> Picture {
        let card = SampleNotifications.card(text, text, text, app: text, age: 7_200_000, more: 3)
        return Picture("", NotificationDrawing(banner: card, in: .english, preferredContentSizeCategory: size))
    }

    private static func menu(_ text: String, _ content: AttributionContent, _ size: ContentSizeCategory) -> Picture {
        let conversations = content.disambiguation(app: "example.app", url: "https://a.example/1")
        let rows = MenuCard(conversations, in: .english).sections
        let offer = MenuCard(offerFor: text, in: .english)
        let card = MenuCard(title: offer.title, message: offer.message, sections: offer.sections + rows)
        return Picture("", MenuCardDrawing(card, in: .english, preferredContentSizeCategory: size))
    }
}
