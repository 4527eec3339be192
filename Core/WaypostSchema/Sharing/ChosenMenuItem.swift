/// An app's own item that the user chose in the app's menu or in the menu of an attribution view.
public struct ChosenMenuItem: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The view.
    public var view: AttributionViewID

    /// The item.
    public var item: MenuItemID

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, view: AttributionViewID, item: MenuItemID) {
        self.app = app
        self.view = view
        self.item = item
    }
}
