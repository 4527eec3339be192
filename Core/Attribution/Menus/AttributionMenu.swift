public import WaypostSchema

extension MenuItemID {
    /// The view's own item that opens the conversation.
    public static let reply: MenuItemID = "reply"

    /// The view's own item that removes the content.
    public static let remove: MenuItemID = "remove"
}

/// The menu of an attribution view (`highlightMenu` and `supplementalMenu` of `SWAttributionView`).
///
/// The talk calls the first by the name of the second. As the platform's header has it, `items` are the system's for an
/// app to append to its own menu, and `supplemental` are the app's in the view's.
public struct AttributionMenu: Sendable, Equatable {
    /// The items of the view: Reply and Remove.
    public let items: [MenuItem]

    /// The items that the app adds to the view's own menu.
    public let supplemental: [MenuItem]

    /// What is odd about the app's preferences.
    public let findings: [AttributionFinding]

    /// Creates the menu that an app asks for.
    ///
    /// Titles are made plain. Remove has the system's title where the app gives none or a blank one. An item of the app
    /// that repeats an identifier is left out, and so is one without a title.
    ///
    /// - Parameters:
    ///   - preferences: what the app asks for.
    ///   - language: the language of the words.
    ///   - isTranslated: whether that is the person's own; nobody here knows the word for Remove in others.
    public init(
        preferences: AttributionPreferences,
        in language: AttributionLanguage,
        isTranslated: Bool = true
    ) {
        let title = preferences.menuTitleForHideAction
        let hideTitle = PlainText.plain(title ?? "")
        items = [
            MenuItem(id: .reply, title: Phrase.reply.text(in: language)),
            MenuItem(id: .remove, title: hideTitle.isEmpty ? Phrase.remove.text(in: language) : hideTitle),
        ]
        let isChecked = isTranslated || hideTitle.isEmpty
        let titleFinding = title.flatMap { isChecked ? HideTitleRule.finding($0, in: language) : nil }
        let app = Self.supplement(preferences.supplementalMenu)
        supplemental = app.items
        findings = [titleFinding].compactMap(\.self) + app.findings
    }

    /// The view's own menu: Reply and Remove, then the app's items.
    public var sections: [[MenuItem]] {
        [items, supplemental].filter { !$0.isEmpty }
    }

    private static func supplement(_ items: [MenuItem]) -> (items: [MenuItem], findings: [AttributionFinding]) {
        var taken: Set<MenuItemID> = [.reply, .remove]
        var accepted: [MenuItem] = []
        var findings: [AttributionFinding] = []
        for (index, item) in items.enumerated() {
            let title = PlainText.plain(item.title)
            if title.isEmpty {
                findings.append(blank(at: index))
            } else if taken.insert(item.id).inserted {
                accepted.append(MenuItem(id: item.id, title: title))
            } else {
                findings.append(repeated(item, at: index))
            }
        }
        return (accepted, findings)
    }

    private static func blank(at index: Int) -> AttributionFinding {
        AttributionFinding(
            code: .blankMenuItem,
            field: "supplementalMenu[\(index)].title",
            message: "nothing of the title can be seen; the item is left out, and one with a title would be accepted"
        )
    }

    private static func repeated(_ item: MenuItem, at index: Int) -> AttributionFinding {
        let isOfView = [.reply, .remove].contains(item.id)
        return AttributionFinding(
            code: .repeatedMenuItem,
            field: "supplementalMenu[\(index)].id",
            message: isOfView
                ? "\(item.id) is an item of the view; the item is left out, and another identifier would be accepted"
                : "an item before this one has the same identifier; the item is left out, and one of its own would be accepted"
        )
    }
}
