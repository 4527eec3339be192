public import WaypostSchema

/// An app's own context menu with the view's items in it: what is left to choose from where content has a menu already.
public struct ContextMenu: Sendable, Equatable {
    /// Where the view's items stand.
    public enum Placement: Sendable, Hashable {
        /// Inline: after so many of the app's items.
        case inline(after: Int)

        /// After all of the app's items.
        case atEnd
    }

    /// The items, with a separator between each two sections; no section is empty.
    public let sections: [[MenuItem]]

    /// Creates the menu of both.
    ///
    /// - Parameters:
    ///   - appItems: the app's items.
    ///   - viewItems: those of the attribution view (`AttributionMenu.items`); they stay together.
    ///   - placement: where these stand; a number that is out of range means the nearer end.
    public init(appItems: [MenuItem], viewItems: [MenuItem], placement: Placement = .atEnd) {
        let count =
            switch placement {
            case .inline(let count): max(count, 0)
            case .atEnd: appItems.count
            }
        sections = [Array(appItems.prefix(count)), viewItems, Array(appItems.dropFirst(count))]
            .filter { !$0.isEmpty }
    }
}

extension [MenuItem] {
    /// Returns an app's context menu with the items of an attribution view at its end.
    public func appending(_ menu: AttributionMenu) -> ContextMenu {
        ContextMenu(appItems: self, viewItems: menu.items)
    }
}
