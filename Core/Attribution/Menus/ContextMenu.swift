public import WaypostSchema

/// An app's own context menu with the attribution view's items in it, for content that already has a menu.
public struct ContextMenu: Sendable, Equatable {
    /// The position of the view's items.
    public enum Placement: Sendable, Hashable {
        /// Inline, after the given number of the app's items.
        case inline(after: Int)

        /// After all of the app's items.
        case atEnd
    }

    /// The items by section, to be drawn with a separator between sections; no section is empty.
    public let sections: [[MenuItem]]

    /// Creates the combined menu.
    ///
    /// - Parameters:
    ///   - appItems: the app's items.
    ///   - viewItems: the items of the attribution view (`AttributionMenu.systemItems`), which stay together; if there
    ///     are none, the app's items are one section.
    ///   - placement: the position of the view's items; a number that is out of range is clamped.
    public init(appItems: [MenuItem], viewItems: [MenuItem], placement: Placement = .atEnd) {
        let count =
            switch placement {
            case .inline(let count) where !viewItems.isEmpty: max(count, 0)
            case .inline, .atEnd: appItems.count
            }
        sections = [Array(appItems.prefix(count)), viewItems, Array(appItems.dropFirst(count))]
            .filter { !$0.isEmpty }
    }
}

extension [MenuItem] {
    /// Returns an app's context menu with the items of an attribution view at the end.
    public func appending(_ menu: AttributionMenu) -> ContextMenu {
        ContextMenu(appItems: self, viewItems: menu.systemItems)
    }
}
