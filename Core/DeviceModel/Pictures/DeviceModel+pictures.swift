public import Attribution
internal import Highlights
public import WaypostSchema

/// Pictures for the user and for tests, never for an app: the way from options to a picture.
///
/// The control API of an agent and the commands that read a journal use the same functions, so the same options give
/// the same bytes.
extension DeviceModel {
    /// Returns the attribution view of a link, laid out with options.
    ///
    /// - Throws: `IgnoredEvent` if the app has no highlight for the URL.
    public func attributionDrawing(
        of link: PicturedLink,
        _ options: PictureOptions
    ) throws(IgnoredEvent) -> AttributionDrawing {
        let preferences = options.applied(to: link.preferences)
        let traits = attributionTraits(of: link.app, options)
        guard let drawing = drawing(of: link.url, in: link.app, preferences, traits) else {
            throw IgnoredEvent(
                reason: .noHighlight,
                explanation: "\(link.app) has no highlight for '\(link.url)'"
            )
        }
        return drawing
    }

    /// Returns the menu of a link's attribution view, which is not the context menu of the app's content.
    public func attributionMenu(of link: PicturedLink, _ options: PictureOptions) -> AttributionMenu {
        let traits = attributionTraits(of: link.app, options)
        return AttributionMenu(
            preferences: options.applied(to: link.preferences),
            in: traits.language,
            isUserLanguage: traits.isTranslated
        )
    }

    /// Returns a report on the attribution view of a link, with the findings about all preferences.
    ///
    /// - Throws: `IgnoredEvent` if the app has no highlight for the URL.
    public func attributionReport(
        on link: PicturedLink,
        _ options: PictureOptions
    ) throws(IgnoredEvent) -> AttributionReport {
        let drawing = try attributionDrawing(of: link, options)
        var report = AttributionReport(drawing.content, drawing.layout)
        report.findings += attributionMenu(of: link, options).findings
        return report
    }

    /// Returns a picture of a link in an app: its attribution view, one of its menus, or the offer for its app.
    ///
    /// The offer is drawn whether it is open or not, so that a journal without one can show it.
    ///
    /// - Parameters:
    ///   - kind: the kind; for the shelf, or for what is over the app now, the link only names the app.
    ///   - link: the link.
    ///   - options: the options.
    /// - Returns: the picture.
    /// - Throws: `IgnoredEvent` if the app has no highlight for the URL, or the device does not show such a menu.
    public func picture(
        _ kind: PictureKind,
        of link: PicturedLink,
        _ options: PictureOptions
    ) throws(IgnoredEvent) -> DevicePicture {
        switch kind {
        case .attribution: return .attribution(try attributionDrawing(of: link, options))
        case .menu:
            _ = try attributionDrawing(of: link, options)
            return card(MenuCard(attributionMenu(of: link, options)), in: link.app, options)
        case .disambiguation:
            let content = try attributionDrawing(of: link, options).content
            guard content.conversations.count > 1 else {
                throw .notPresented("the link is from one conversation only, so there is nothing to choose")
            }
            let menu = content.disambiguation(app: link.app, url: link.url)
            let menuCard = MenuCard(menu, people: content.peopleByConversation, in: content.language)
            return card(menuCard, in: link.app, options)
        case .offer: return offerPicture(for: link.app, options)
        case .shelf: return shelfPicture(of: link.app, options)
        case .presentation: return try presentationPicture(options)
        }
    }

    /// Returns the picture of the open offer of automatic sharing with an app.
    ///
    /// - Throws: `IgnoredEvent` that says why no offer is open.
    public func openOfferPicture(
        for app: BundleIdentifier,
        _ options: PictureOptions
    ) throws(IgnoredEvent) -> DevicePicture {
        guard sharing.openOffers.contains(where: { $0.app == app }) else {
            let standing = sharing.settings.offers?.first { $0.app == app }
            throw IgnoredEvent(
                reason: .noOpenOffer,
                explanation: standing?.explanation ?? "\(app) does not take part in Shared with You"
            )
        }
        return offerPicture(for: app, options)
    }

    private func offerPicture(for app: BundleIdentifier, _ options: PictureOptions) -> DevicePicture {
        card(offerCard(for: app, in: attributionTraits(of: app, options).language), in: app, options)
    }

    /// Returns the picture of an app's shelf.
    ///
    /// The app draws the heading and Show More in its language; the device draws who shared the items. A shelf that is
    /// expanded because the user tapped Show More has at most `PictureOptions.maximumLimit` items in the picture.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - options: the options.
    ///   - style: the effect of Show More.
    ///   - isExpanded: whether all items are shown although the user did not tap Show More, and without a maximum.
    ///   - width: the width, in points.
    ///   - preview: returns the preview for a URL; by default, the one that the app supplied.
    /// - Returns: the picture.
    public func shelfPicture(
        of app: BundleIdentifier,
        _ options: PictureOptions,
        showMore style: ShowMore.Style = .expandsInPlace,
        isExpanded: Bool = false,
        width: Int = 390,
        preview: ((String) -> LinkPreview?)? = nil
    ) -> DevicePicture {
        let traits = attributionTraits(of: app, options)
        let showMore = showMore(on: app, after: options.limit, isExpanded: isExpanded, style: style)
        let maximum = isExpanded ? showMore.shownCount : max(options.limit, PictureOptions.maximumLimit)
        let cards = shelf(of: app, limit: min(showMore.shownCount, maximum), traits.language) { url in
            if let preview { preview(url) } else { self.preview(of: url, for: app) }
        }
        let appLanguage = AttributionLanguage(tag: appLanguage(of: app, options))
        return .shelf(
            ShelfDrawing(
                ShelfContent(cards, showMore, in: appLanguage),
                width: width,
                preferredContentSizeCategory: traits.preferredContentSizeCategory,
                layoutDirection: traits.layoutDirection
            )
        )
    }

    /// Returns the picture of the menu or the conversation that is over an app now, or else of the first open offer.
    ///
    /// - Throws: `IgnoredEvent` if nothing is shown over an app, and no offer of automatic sharing is open.
    public func presentationPicture(_ options: PictureOptions) throws(IgnoredEvent) -> DevicePicture {
        guard let screen = presentation else {
            guard let offer = sharing.openOffers.first else {
                throw .notPresented("nothing is shown over an app, and no offer of automatic sharing is open")
            }
            return offerPicture(for: offer.app, options)
        }
        let app = screen.place.app
        let language = attributionTraits(of: app, options).language
        // The link has ended if its view has; the screen then keeps its titles, and has no avatars.
        let content = sharing.sharedLink(screen.place.url, of: app).map { AttributionContent($0, in: language) }
        let titles = (content?.conversations ?? []).map { ($0.id, $0.title) }
        let titlesByConversation = Dictionary(titles) { first, _ in first }
        switch screen.screen {
        case .disambiguation(var menu):
            menu.title = Phrase.conversationQuestion.text(in: language)
            menu.choices = menu.choices.map { choice in
                let title = titlesByConversation[choice.conversation] ?? choice.title
                return DisambiguationMenu.Choice(conversation: choice.conversation, title: title)
            }
            return card(MenuCard(menu, people: content?.peopleByConversation ?? [:], in: language), in: app, options)
        case .conversation(var conversation):
            conversation.title = titlesByConversation[conversation.conversation] ?? conversation.title
            return card(MenuCard(conversation, in: language), in: app, options)
        }
    }

    private func card(_ card: MenuCard, in app: BundleIdentifier, _ options: PictureOptions) -> DevicePicture {
        let traits = attributionTraits(of: app, options)
        return .card(
            MenuCardDrawing(
                card,
                in: traits.language,
                preferredContentSizeCategory: traits.preferredContentSizeCategory,
                layoutDirection: traits.layoutDirection
            )
        )
    }
}

extension MenuCard {
    /// Creates the card of a conversation over an app, in which the user can reply.
    fileprivate init(_ conversation: PresentedConversation, in language: AttributionLanguage) {
        let rows = [Phrase.reply, .cancel].map { phrase in
            [Row(title: phrase.text(in: language), kind: phrase == .cancel ? .cancel : .action)]
        }
        self.init(title: conversation.title, sections: rows)
    }
}
