/// A menu item as an app sees it: it can be chosen, but does not reveal the contacts it concerns.
public struct MenuItem: Codable, Sendable, Equatable {
    /// The item's identifier, unique within its view.
    public var id: MenuItemID

    /// The item's title, in the user's language.
    public var title: String

    /// Creates the value from its parts.
    public init(id: MenuItemID, title: String) {
        self.id = id
        self.title = title
    }
}
