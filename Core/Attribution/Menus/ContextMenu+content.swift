public import WaypostSchema

extension ContextMenu {
    /// Creates the context menu that an app describes for its content.
    ///
    /// Titles are made plain. An item of the app is left out if it has no title, or the identifier of another item.
    ///
    /// - Parameters:
    ///   - menu: the app's items, and the place for the others.
    ///   - viewItems: the items of the attribution view; none if the content has no view.
    public init(_ menu: ContentMenu, viewItems: [MenuItem]) {
        self.init(appItems: menu.usableItems, viewItems: viewItems, placement: menu.contextMenuPlacement)
    }
}

extension ContentMenu {
    private static let field = "contextMenu.items"

    /// The items that the menu shows.
    public var usableItems: [MenuItem] {
        AttributionMenu.checkedItems(items, of: Self.field).items
    }

    /// The findings about the items.
    public var findings: [AttributionFinding] {
        AttributionMenu.checkedItems(items, of: Self.field).findings
    }

    fileprivate var contextMenuPlacement: ContextMenu.Placement {
        switch placement ?? .atEnd {
        case .inline: .inline(after: after ?? 0)
        case .atEnd: .atEnd
        }
    }
}
