public import WaypostSchema

extension MenuItemID {
    /// The view's own item that opens the conversation.
    public static let reply: MenuItemID = "reply"

    /// The view's own item that removes the content.
    public static let remove: MenuItemID = "remove"
}

/// The menu of an attribution view (`highlightMenu` and `supplementalMenu` of `SWAttributionView`).
///
/// The talk swaps the two names. This type follows the platform's header: an app appends the system's items to its own
/// menu for the content, and supplies items for the view's menu.
public struct AttributionMenu: Sendable, Equatable {
    /// The view's own items: Reply and Remove.
    public let systemItems: [MenuItem]

    /// The items that the app adds to the view's own menu.
    public let supplementalItems: [MenuItem]

    /// The problems with the app's preferences.
    public let findings: [AttributionFinding]

    /// Creates the menu from an app's preferences.
    ///
    /// Titles are made plain. Remove gets the system's title if the app's title is missing or blank. An item of the app
    /// is left out if its identifier is already used, or if it has no title.
    ///
    /// - Parameters:
    ///   - preferences: the app's preferences.
    ///   - language: the language of the text.
    ///   - isUserLanguage: whether `language` is the user's own language. If not, the app's title for Remove is not
    ///     checked, because Waypost does not know the word for Remove in other languages.
    public init(
        preferences: AttributionPreferences,
        in language: AttributionLanguage,
        isUserLanguage: Bool = true
    ) {
        let title = preferences.menuTitleForHideAction
        let hideTitle = PlainText.plain(title ?? "")
        systemItems = [
            MenuItem(id: .reply, title: Phrase.reply.text(in: language)),
            MenuItem(id: .remove, title: hideTitle.isEmpty ? Phrase.remove.text(in: language) : hideTitle),
        ]
        let checksTitle = isUserLanguage || hideTitle.isEmpty
        let titleFinding = title.flatMap { checksTitle ? HideTitleRule.finding($0, in: language) : nil }
        let checkedMenu = Self.checkedItems(preferences.supplementalMenu, of: "supplementalMenu")
        supplementalItems = checkedMenu.items
        findings = [titleFinding].compactMap(\.self) + checkedMenu.findings
    }

    /// The view's own menu: Reply and Remove, then the app's items.
    public var sections: [[MenuItem]] {
        [systemItems, supplementalItems].filter { !$0.isEmpty }
    }

    /// Returns an app's items that a menu can show, with plain titles, and the problems with the others.
    ///
    /// - Parameters:
    ///   - items: the items.
    ///   - field: the name of the list in findings.
    /// - Returns: the items, and the findings.
    static func checkedItems(
        _ items: [MenuItem],
        of field: String
    ) -> (items: [MenuItem], findings: [AttributionFinding]) {
        var usedIDs: Set<MenuItemID> = [.reply, .remove]
        var acceptedItems: [MenuItem] = []
        var findings: [AttributionFinding] = []
        for (index, item) in items.enumerated() {
            let title = PlainText.plain(item.title)
            if title.isEmpty {
                findings.append(blankTitleFinding(at: index, of: field))
            } else if usedIDs.insert(item.id).inserted {
                acceptedItems.append(MenuItem(id: item.id, title: title))
            } else {
                findings.append(repeatedIdentifierFinding(item, at: index, of: field))
            }
        }
        return (acceptedItems, findings)
    }

    private static func blankTitleFinding(at index: Int, of field: String) -> AttributionFinding {
        AttributionFinding(
            code: .blankMenuItem,
            field: "\(field)[\(index)].title",
            message: "the title has no visible characters, so the item is left out; give it a title"
        )
    }

    private static func repeatedIdentifierFinding(
        _ item: MenuItem,
        at index: Int,
        of field: String
    ) -> AttributionFinding {
        let isSystemItem = [.reply, .remove].contains(item.id)
        return AttributionFinding(
            code: .repeatedMenuItem,
            field: "\(field)[\(index)].id",
            message: isSystemItem
                ? "'\(item.id)' is the identifier of a view's own item, so the item is left out; use another identifier"
                : "an earlier item has the same identifier, so the item is left out; use another identifier"
        )
    }
}
