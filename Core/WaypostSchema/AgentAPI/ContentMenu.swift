/// The context menu of an app's own content, and the place in it for the items of an attribution view.
public struct ContentMenu: Codable, Sendable, Equatable {
    /// The places for the items of the attribution view.
    public enum Placement: String, StringEnum {
        /// Among the app's items, in a section of their own.
        case inline

        /// After the app's items.
        case atEnd
    }

    /// The app's items.
    public var items: [MenuItem]

    /// The place for the items of the attribution view; at the end if absent.
    public var placement: Placement?

    /// The number of the app's items before those of the attribution view, if these are inline; 0 if absent.
    public var after: Int?

    /// The title of the item that removes the content, if the app's attribution view has none; the system's if absent.
    public var menuTitleForHideAction: String?

    /// Creates the value from its parts.
    public init(
        items: [MenuItem],
        placement: Placement? = nil,
        after: Int? = nil,
        menuTitleForHideAction: String? = nil
    ) {
        self.items = items
        self.placement = placement
        self.after = after
        self.menuTitleForHideAction = menuTitleForHideAction
    }

    /// Parses a menu.
    ///
    /// - Throws: `DecodingError`, also if `after` is negative.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let after = try container.decodeIfPresent(Int.self, forKey: .after)
        guard after ?? 0 >= 0 else {
            let message = "must be at least 0"
            throw DecodingError.dataCorruptedError(forKey: .after, in: container, debugDescription: message)
        }
        self.init(
            items: try container.decode([MenuItem].self, forKey: .items),
            placement: try container.decodeIfPresent(Placement.self, forKey: .placement),
            after: after,
            menuTitleForHideAction: try container.decodeIfPresent(String.self, forKey: .menuTitleForHideAction)
        )
    }
}
