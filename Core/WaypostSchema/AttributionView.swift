/// What an app gets of an attribution view: a handle, the size to leave room for, and the titles of its menu.
///
/// It has no place for who shared the content, and no picture: the device resolves the handle when it draws the window.
public struct AttributionView: Codable, Sendable, Equatable {
    /// The app; the handle says nothing to another.
    public var app: BundleIdentifier

    /// The handle, which ends with the highlight.
    public var view: AttributionViewID

    /// The size of the view.
    public var size: LayoutSize

    /// The menu for the app to append to that of its content (`highlightMenu`).
    public var menu: [MenuItem]

    /// What is odd about the app's preferences.
    public var findings: [AttributionFinding]

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        view: AttributionViewID,
        size: LayoutSize,
        menu: [MenuItem],
        findings: [AttributionFinding] = []
    ) {
        self.app = app
        self.view = view
        self.size = size
        self.menu = menu
        self.findings = findings
    }
}

/// A size, in points.
public struct LayoutSize: Codable, Sendable, Equatable {
    /// The width.
    public var width: Double

    /// The height.
    public var height: Double

    /// Creates the value from its parts.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// Something odd about an app's preferences for an attribution view: what was asked for, and what would be accepted.
public struct AttributionFinding: Codable, Sendable, Equatable {
    /// What is odd.
    public enum Code: String, StringChoice {
        /// The title for Remove is without the word for it in the language of the person; it is used all the same.
        case hideTitleWithoutRemove

        /// The smallest size of text is above the largest; the largest counts.
        case minimumAboveMaximum

        /// The height is less than the text needs, so that the view is clipped or not drawn.
        case heightTooSmall

        /// The width does not do for anything, so that nothing is drawn.
        case widthTooSmall

        /// An item of the app has no title; it is left out.
        case blankMenuItem

        /// An item of the app has the identifier of one of the view's, or of another of its own; it is left out.
        case repeatedMenuItem
    }

    /// What is odd.
    public var code: Code

    /// The preference that it is about.
    public var field: String

    /// The same for a person, with what would be accepted.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, field: String, message: String) {
        self.code = code
        self.field = field
        self.message = message
    }
}

/// What an app learns of what its attribution view brought up: that it is there, and that it went.
public struct PresentationNotice: Codable, Sendable, Equatable {
    /// What happened.
    public enum State: String, StringChoice {
        /// Something of the device covers the app.
        case presented

        /// It is gone; the app is as it was.
        case dismissed
    }

    /// The app.
    public var app: BundleIdentifier

    /// The view.
    public var view: AttributionViewID

    /// What happened.
    public var state: State

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, view: AttributionViewID, state: State) {
        self.app = app
        self.view = view
        self.state = state
    }
}
