import Attribution
import WaypostSchema

/// The pictures that are stored in `Tests/Vectors/attribution/svg`.
enum Gallery {
    static let all = people + languages + appearances + steps + roomSizes + menus + shelves + notifications

    private static let people = [
        Picture("one", .of(Array(Person.friends.prefix(1)))),
        Picture("two", .of(Array(Person.friends.prefix(2)))),
        Picture("five", .of(Person.friends)),
        Picture("pinned", .of(Array(Person.friends.prefix(2)), isPinned: true)),
        Picture("silhouettes", .of(Person.unknown)),
        Picture(
            "three-with-silhouette",
            .of(
                [Person.friends[0], Person.unknown[0], Person.friends[2]],
                preferences: AttributionPreferences(preferredMaxLayoutWidth: 400)
            )
        ),
        Picture("emoji", .of([.contact("👩‍👩‍👧 Home", nil), .contact("Mila", "Wu")])),
        Picture("arabic", .of([.contact("سارة", "حداد"), .contact("Enrique", "Navarro")], isPinned: true)),
        Picture("hebrew", .of([.contact("דנה", "לוי"), .contact("Sarah", "Kim"), .contact("Ida", "Ågren")])),
        Picture("wide-letters", .of([.contact("Willem", "Wouters"), .contact("Maria", "Mwangi")])),
        Picture("markup", .of([.contact("<script>alert(1)</script>", "&amp; ]]>"), .contact("\"quoted\"", "'")])),
    ]

    private static let languages = AttributionLanguage.allCases.flatMap { language in
        let people = Person.byLanguage[language.rawValue] ?? []
        return [
            Picture("\(language.rawValue)-two", .of(Array(people.prefix(2)), language)),
            Picture("\(language.rawValue)-five-pinned", .of(people, language, isPinned: true)),
        ]
    }

    private static let appearances = Appearance.Style.allCases.flatMap { style in
        [
            onBackdrop(.color, Appearance(style: style, backdrop: .oneColor)),
            onBackdrop(.material, Appearance(style: style, backdrop: .colorful)),
            Picture("five-\(style.rawValue)", .of(Person.friends), Appearance(style: style)),
        ]
    }

    private static func onBackdrop(
        _ background: AttributionPreferences.BackgroundStyle,
        _ appearance: Appearance
    ) -> Picture {
        let preferences = AttributionPreferences(backgroundStyle: background)
        return Picture(
            "\(background.rawValue)-on-\(appearance.backdrop.rawValue)-\(appearance.style.rawValue)",
            .of(Array(Person.friends.prefix(3)), isPinned: true, preferences: preferences),
            appearance
        )
    }

    /// For each step, the view of the greatest width that uses it.
    private static let steps = AttributionReport.Step.allCases.compactMap { step in
        let drawings = (0...400).lazy.reversed().map {
            AttributionDrawing.of(Person.friends, isPinned: true, preferences: .init(width: Double($0)))
        }
        return drawings.first { $0.layout.truncationStep == step }.map { Picture("step-\(step.rawValue)", $0) }
    }

    private static let roomSizes = heights + alignments + sizes

    private static let heights = [
        Picture("clipped", .of(Person.friends, isPinned: true, preferences: .init(height: 22))),
        Picture("not-drawn", .of(Person.friends, preferences: .init(width: 200, height: 10))),
    ]

    private static let alignments = [AttributionPreferences.HorizontalAlignment.leading, .center, .trailing].map {
        Picture(
            "aligned-\($0.rawValue)",
            .of(Person.friends, preferences: .init(horizontalAlignment: $0, width: 400))
        )
    }

    private static let sizes = [ContentSizeCategory.extraSmall, .accessibilityExtraExtraExtraLarge].map {
        Picture("size-\($0.rawValue)", .of(Array(Person.friends.prefix(2)), isPinned: true, size: $0))
    }

    private static let menus = AttributionLanguage.allCases.flatMap { language in
        Samples.menus(in: language).map { name, card in
            Picture("menu-\(name)-\(language.rawValue)", MenuCardDrawing(card, in: language))
        } + [
            Picture(
                "menu-own-\(language.rawValue)-dark",
                MenuCardDrawing(MenuCard(Samples.ownMenu(in: language)), in: language),
                .dark
            )
        ]
    }

    private static let shelves =
        AttributionLanguage.allCases.flatMap { language in
            [
                Picture("shelf-\(language.rawValue)", ShelfDrawing(Samples.shelf(in: language, limit: 4))),
                Picture("shelf-\(language.rawValue)-dark", ShelfDrawing(Samples.shelf(in: language, limit: 2)), .dark),
            ]
        } + [
            Picture(
                "shelf-listing",
                ShelfDrawing(Samples.shelf(in: .english, limit: 1, style: .listsAll), width: 320)
            ),
            Picture(
                "shelf-largest",
                ShelfDrawing(
                    Samples.shelf(in: .english, limit: 2),
                    preferredContentSizeCategory: .accessibilityExtraExtraExtraLarge
                )
            ),
        ]

    private static let notifications =
        AttributionLanguage.allCases.flatMap { language in
            Appearance.Style.allCases.map { style in
                let drawing = NotificationDrawing(
                    lockScreen: SampleNotifications.cards(in: language),
                    at: SampleNotifications.now,
                    in: language
                )
                return Picture("lock-screen-\(language.rawValue)-\(style.rawValue)", drawing, style)
            }
        } + [
            Picture(
                "banner",
                NotificationDrawing(banner: SampleNotifications.cards(in: .english)[0], in: .english)
            ),
            Picture(
                "banner-arabic",
                NotificationDrawing(
                    banner: SampleNotifications.card("سارة حداد", nil, "شاهدي هذا المسلسل: Lasso (3)", age: 120_000),
                    in: .english
                ),
                .dark
            ),
            Picture(
                "banner-largest",
                NotificationDrawing(
                    banner: SampleNotifications.cards(in: .english)[1],
                    in: .english,
                    preferredContentSizeCategory: .accessibilityExtraExtraExtraLarge
                )
            ),
        ]
}
