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
    /// that repeats an identifier is left out; one without a title shows its identifier.
    ///
    /// - Parameters:
    ///   - preferences: what the app asks for.
    ///   - language: the language of the person.
    public init(preferences: AttributionPreferences, in language: AttributionLanguage) {
        let title = preferences.menuTitleForHideAction
        let hideTitle = PlainText.plain(title ?? "")
        items = [
            MenuItem(id: .reply, title: Phrase.reply.text(in: language)),
            MenuItem(id: .remove, title: hideTitle.isEmpty ? Phrase.remove.text(in: language) : hideTitle),
        ]
        let titleFinding = title.flatMap { HideTitleRule.finding($0, in: language) }
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
            if taken.insert(item.id).inserted {
                let title = PlainText.plain(item.title)
                accepted.append(
                    MenuItem(id: item.id, title: title.isEmpty ? PlainText.plain(item.id.rawValue) : title)
                )
            } else {
                findings.append(repeated(item, at: index))
            }
        }
        return (accepted, findings)
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
