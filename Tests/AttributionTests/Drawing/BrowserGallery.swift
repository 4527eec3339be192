import Attribution
import WaypostSchema

/// The pictures that a browser measures: the gallery, and every kind of picture in all languages at the smallest and
/// the largest text size.
enum BrowserGallery {
    static let all = Gallery.all + views + shelves + menus + notifications + HostileGallery.all

    private static let sizes = [ContentSizeCategory.extraSmall, .accessibilityExtraExtraExtraLarge]

    /// A width of 0 means no width.
    private static let views = each([0, 40, 80, 120, 160, 240, 320, 480]) { name, language, size, width in
        let people = Person.byLanguage[language.rawValue] ?? []
        let preferences = AttributionPreferences(preferredMaxLayoutWidth: Double(width))
        return Picture(
            "view-\(name)",
            .of(people, language, isPinned: true, preferences: preferences, size: size)
        )
    }

    private static let shelves = each([160, 320, 390, 700]) { name, language, size, width in
        let shelf = Samples.shelf(in: language, limit: 3)
        return Picture("shelf-\(name)", ShelfDrawing(shelf, width: width, preferredContentSizeCategory: size))
    }

    private static let menus = each([0, 1, 2]) { name, language, size, index in
        let card = Samples.menus(in: language)[index].card
        return Picture("menu-\(name)", MenuCardDrawing(card, in: language, preferredContentSizeCategory: size))
    }

    /// The Lock Screen in each language, text size and style.
    private static let notifications = AttributionLanguage.allCases.flatMap { language in
        ContentSizeCategory.allCases.flatMap { size in
            [160, 320, 390, 700].map { width in
                let drawing = NotificationDrawing(
                    lockScreen: SampleNotifications.cards(in: language),
                    at: SampleNotifications.now,
                    in: language,
                    width: width,
                    preferredContentSizeCategory: size
                )
                let name = "lock-screen-\(language.rawValue)-\(size.rawValue)-\(width)"
                return Picture(name, drawing, width == 320 ? .dark : .light)
            }
        }
    }

    private static func each(
        _ numbers: [Int],
        _ picture: (String, AttributionLanguage, ContentSizeCategory, Int) -> Picture
    ) -> [Picture] {
        AttributionLanguage.allCases.flatMap { language in
            sizes.flatMap { size in
                numbers.map { number in
                    picture("\(language.rawValue)-\(size.rawValue)-\(number)", language, size, number)
                }
            }
        }
    }
}
