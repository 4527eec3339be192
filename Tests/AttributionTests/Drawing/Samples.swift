import Attribution
import WaypostSchema

/// Menus and shelves that tests draw.
enum Samples {
    static func ownMenu(in language: AttributionLanguage) -> AttributionMenu {
        AttributionMenu(
            preferences: AttributionPreferences(supplementalMenu: [
                MenuItem(id: "save", title: "Save to a list of links to read when there is more time for it")
            ]),
            in: language
        )
    }

    static func menus(in language: AttributionLanguage) -> [(name: String, card: MenuCard)] {
        let link = SharedLink(
            url: "https://clown.example/shows/1",
            isPinned: false,
            conversations: [
                .shared("c1", "Clown Town", Person.friends), .shared("c2", nil, Array(Person.friends.prefix(1))),
                .shared("c3", nil, Person.byLanguage[language.rawValue] ?? []),
            ]
        )
        let choice = AttributionContent(link, in: language)
            .disambiguation(app: "example.clown", scene: nil, url: link.url)
        return [
            ("own", MenuCard(ownMenu(in: language))),
            ("conversations", MenuCard(choice, in: language)),
            ("offer", MenuCard(offerFor: "Clown Town", in: language)),
        ]
    }

    static func shelf(
        in language: AttributionLanguage,
        limit: Int,
        style: ShowMore.Style = .expandsInPlace
    ) -> ShelfContent {
        let people = Person.byLanguage[language.rawValue] ?? []
        let cards = previews.enumerated().map { index, item in
            let link = SharedLink.shared(by: Array(people.prefix(index * 2 + 1)), isPinned: index == 0)
            return ShelfCard(
                url: item.url,
                preview: item.preview,
                attribution: AttributionContent(link, in: language)
            )
        }
        return ShelfContent(cards, ShowMore(items: cards.count, after: limit, style: style), in: language)
    }

    private static let previews: [(url: String, preview: LinkPreview?)] = [
        preview("https://pod.example/1", "How the circus came to town", "The Clown Podcast", pixel),
        preview(
            "https://clown.example/shows/2",
            "Ten minutes that changed juggling for ever, and what came after",
            nil
        ),
        ("https://news.example/2022/06/07/red-noses?from=mail", nil),
        preview("https://tv.example/4", "小丑的一天 · ピエロの一日", "시즌 2", "https://tv.example/picture.png"),
    ]

    private static func preview(
        _ url: String,
        _ title: String,
        _ subtitle: String?,
        _ thumbnail: String? = nil
    ) -> (url: String, preview: LinkPreview?) {
        (url, LinkPreview(url: url, title: title, subtitle: subtitle, thumbnail: thumbnail))
    }

    /// One orange pixel.
    static let pixel =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGN40WAAAAPsAZmp2ArEAAAAAElFTkSuQmCC"
}

extension SharedConversation {
    fileprivate static func shared(_ id: ConversationID, _ name: String?, _ people: [Person]) -> SharedConversation {
        let sharers = people.map { Sharer(person: $0, sharedAt: Timestamp(milliseconds: 1_000)) }
        return SharedConversation(id: id, name: name, participants: people, sharers: sharers)
    }
}
