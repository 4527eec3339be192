/// A notice to an app: its attribution view opened a screen of the system over the app, or that screen was closed.
public struct PresentationNotice: Codable, Sendable, Equatable {
    /// The state of the presentation.
    public enum State: String, StringEnum {
        /// System UI covers the app.
        case presented

        /// Nothing covers the app; its state is unchanged.
        case dismissed
    }

    /// The app.
    public var app: BundleIdentifier

    /// The attribution view.
    public var view: AttributionViewID

    /// The state of the presentation.
    public var state: State

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, view: AttributionViewID, state: State) {
        self.app = app
        self.view = view
        self.state = state
    }
}
