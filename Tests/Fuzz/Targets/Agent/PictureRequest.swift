import Attribution
import WaypostSchema

/// The people, texts and preferences of pictures, as an input chooses them.
struct PictureRequest {
    private let link: SharedLink
    private let preferences: AttributionPreferences
    private let language: AttributionLanguage
    private let category: ContentSizeCategory
    private let direction: LayoutDirection
    private let appearance: Appearance
    private let preview: LinkPreview
    private let width: Int
    private let content: AttributionContent
    private let layout: AttributionLayout

    init(_ input: inout SeparatedInput) {
        var choices = input.nextChoices()
        language = choices.choice(AttributionLanguage.self)
        category = choices.choice(ContentSizeCategory.self)
        direction = choices.choice(LayoutDirection.self)
        appearance = Appearance(
            style: choices.choice(Appearance.Style.self),
            backdrop: choices.choice(Appearance.Backdrop.self)
        )
        width = choices.number() % 1_000
        let isPinned = choices.bool()
        var preferences = Self.preferences(&choices)
        preferences.menuTitleForHideAction = input.nextOptionalText()
        preferences.supplementalMenu = [MenuItem(id: "a", title: input.nextText())]
        self.preferences = preferences
        preview = LinkPreview(
            url: input.nextText(),
            title: input.nextText(),
            subtitle: input.nextOptionalText(),
            thumbnail: input.nextOptionalText()
        )
        link = SharedLink(url: preview.url, isPinned: isPinned, conversations: Self.conversations(&input))
        content = AttributionContent(link, in: language)
        layout = AttributionLayout(
            content,
            preferences,
            preferredContentSizeCategory: category,
            layoutDirection: direction
        )
    }

    private static func preferences(_ choices: inout InputChoices) -> AttributionPreferences {
        AttributionPreferences(
            displayContext: choices.choice(DisplayContext.self),
            horizontalAlignment: choices.choice(AttributionPreferences.HorizontalAlignment.self),
            backgroundStyle: choices.choice(AttributionPreferences.BackgroundStyle.self),
            preferredMaxLayoutWidth: Double(choices.number()) / 64,
            width: choices.bool() ? Double(choices.number()) / 64 : nil,
            height: choices.bool() ? Double(choices.number()) / 256 : nil,
            minimumContentSizeCategory: choices.bool() ? choices.choice(ContentSizeCategory.self) : nil,
            maximumContentSizeCategory: choices.bool() ? choices.choice(ContentSizeCategory.self) : nil
        )
    }

    /// Returns a conversation for each person; a person without one is in the conversation before.
    private static func conversations(_ input: inout SeparatedInput) -> [SharedConversation] {
        var conversations: [SharedConversation] = []
        while !input.isAtEnd, conversations.count < 8 {
            let contact = Contact(
                id: ContactID(rawValue: "\(conversations.count)"),
                givenName: input.nextOptionalText(),
                familyName: input.nextOptionalText(),
                nickname: input.nextOptionalText(),
                language: nil,
                handles: []
            )
            let handle = Handle(rawValue: input.nextText())
            var person = Person(handle: handle, contact: contact)
            person.contact?.language = input.nextOptionalText()
            let name = input.nextOptionalText()
            let sharer = Sharer(person: person, sharedAt: Timestamp(milliseconds: conversations.count))
            if name == nil, let last = conversations.indices.last {
                conversations[last].participants.append(person)
                conversations[last].sharers.append(sharer)
                guard conversations[last].participants.count < 12 else { break }
            } else {
                let id = ConversationID(rawValue: "\(conversations.count)")
                conversations.append(
                    SharedConversation(id: id, name: name, participants: [person], sharers: [sharer])
                )
            }
        }
        return conversations
    }
}

extension PictureRequest {
    private var drawing: AttributionDrawing {
        AttributionDrawing(content: content, layout: layout)
    }

    private var menus: [MenuCardDrawing] {
        let choice = content.disambiguation(app: "com.example.clowntown", url: link.url)
        return [
            MenuCard(AttributionMenu(preferences: preferences, in: language)),
            MenuCard(choice, people: content.peopleByConversation, in: language),
            MenuCard(offerFor: preview.title, in: language),
        ].map { card in
            MenuCardDrawing(card, in: language, preferredContentSizeCategory: category, layoutDirection: direction)
        }
    }

    private var shelf: ShelfDrawing {
        let card = ShelfCard(url: preview.url, preview: preview, attribution: content)
        let shelf = ShelfContent([card], ShowMore(items: 3, after: 1), in: language)
        return ShelfDrawing(shelf, width: width, preferredContentSizeCategory: category, layoutDirection: direction)
    }

    private var notification: NotificationDrawing {
        var notification = DeviceNotification(
            id: "1",
            topic: "com.example.clowntown",
            title: preview.title,
            receivedAt: Timestamp(milliseconds: width)
        )
        notification.subtitle = preview.subtitle
        notification.body = preview.thumbnail
        let card = NotificationCard(
            notification,
            app: preferences.menuTitleForHideAction ?? "",
            sender: content.people.first,
            more: width % 3,
            at: Timestamp(milliseconds: width * 600_000),
            in: language
        )
        return NotificationDrawing(
            lockScreen: [card],
            at: Timestamp(milliseconds: width * 600_000),
            in: language,
            width: width,
            preferredContentSizeCategory: category,
            layoutDirection: direction
        )
    }

    /// The pictures as SVG, with the label of a picture that has only one.
    var pictures: [(svg: String, label: String?)] {
        let style = appearance.style
        let others = menus.map { $0.svg(style) } + [shelf.svg(style), notification.svg(style)]
        let unlabeled: [(svg: String, label: String?)] = others.map { (svg: $0, label: nil) }
        return [(svg: drawing.svg(appearance), label: content.label)] + unlabeled
    }

    /// The same for a terminal.
    var terminalTexts: [String] {
        [drawing.terminalText, shelf.terminalText] + menus.map(\.terminalText)
    }

    /// Checks that the view is no wider than the app wants it, and everything is in it.
    func checkAttribution() {
        if let requested = preferences.width {
            promise(layout.size.width.inPoints <= requested, "a view is not wider than requested", found: layout)
        }
        guard let background = layout.background else { return }
        let (width, height) = (layout.size.width, layout.size.height)
        checkInside(background, LayoutRectangle(x: .zero, y: .zero, width: width, height: height))
        if preferences.preferredMaxLayoutWidth > 0 {
            let maximum = preferences.preferredMaxLayoutWidth
            promise(background.width.inPoints <= maximum, "the content is not wider than its maximum", found: layout)
        }
        for frame in layout.avatars.map(\.frame) + [layout.pin, layout.text?.frame].compactMap({ $0 }) {
            checkInside(frame, background)
        }
        promise(content.people.allSatisfy { !$0.name.isEmpty }, "a person has a name", found: content.people)
        let titles = content.conversations.map(\.title)
        promise(Set(titles).count == titles.count, "the titles of conversations differ", found: titles)
    }

    private func checkInside(_ frame: LayoutRectangle, _ other: LayoutRectangle) {
        promise(
            frame.x >= other.x && frame.x + frame.width <= other.x + other.width,
            "every part is inside, at both sides",
            found: layout
        )
    }
}
