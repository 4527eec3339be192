import Attribution
import WaypostSchema

extension AttributionContent {
    /// Creates contents with people of these names, in this order.
    init(_ names: [String], isPinned: Bool = false, in language: AttributionLanguage = .english) {
        self.init(
            people: names.enumerated().map { place, name in
                ShownPerson(name: name, monogram: .silhouette, color: AvatarColor(index: place % 12))
            },
            isPinned: isPinned,
            conversations: [ShownConversation(id: "c1", title: "Chicago")],
            language: language
        )
    }

    /// Returns contents with four people with names of the language, and a pin.
    static func sample(in language: AttributionLanguage) -> AttributionContent {
        let names =
            switch language {
            case .english: ["Enrique", "Sarah", "Zoë", "Maximilian"]
            case .simplifiedChinese: ["王小明", "欧阳娜娜", "李雷", "韩梅梅"]
            case .japanese: ["田中さくら", "佐藤健", "ﾏﾘｱ", "高橋一郎"]
            case .korean: ["김민준", "남궁서연", "이도윤", "박하은"]
            }
        return AttributionContent(names, isPinned: true, in: language)
    }

    /// Returns the layout of the contents.
    func layout(
        _ preferences: AttributionPreferences = AttributionPreferences(),
        at category: ContentSizeCategory = .large
    ) -> AttributionLayout {
        AttributionLayout(self, preferences, preferredContentSizeCategory: category)
    }
}

extension String {
    /// The text without the isolates around names.
    var unisolated: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }))
    }
}

extension LayoutRectangle {
    var right: Points { x + width }

    var bottom: Points { y + height }

    /// Returns whether the rectangle is within a frame of a size whose upper left corner is at 0.
    func stands(in size: ExactLayoutSize) -> Bool {
        x >= .zero && y >= .zero && right <= size.width && bottom <= size.height
    }
}

extension AttributionLayout {
    /// The rectangles of all drawn parts.
    var rectangles: [LayoutRectangle] {
        [background, pin, text?.frame].compactMap(\.self) + avatars.map(\.frame)
    }
}
