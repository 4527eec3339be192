/// An attribution view as the app sees it: a handle, the size to reserve, and the items of its menu.
///
/// It does not contain the senders or a picture: the device resolves the handle when it draws the window.
public struct AttributionView: Codable, Sendable, Equatable {
    /// The app; other apps cannot use the handle.
    public var app: BundleIdentifier

    /// The handle, which is valid as long as the highlight exists.
    public var view: AttributionViewID

    /// The size of the view.
    public var size: LayoutSize

    /// The menu to append to the app's menu for its content (`highlightMenu`).
    public var menu: [MenuItem]

    /// The findings about the app's preferences.
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

/// A finding about an app's preferences for an attribution view, with what would be accepted.
public struct AttributionFinding: Codable, Sendable, Equatable {
    /// The kinds of findings.
    public enum Code: String, StringChoice {
        /// The title for Remove lacks the word "Remove" in the user's language; it is used anyway.
        case hideTitleWithoutRemove

        /// The minimum text size is above the maximum; the maximum is used.
        case minimumAboveMaximum

        /// The height is too small for the text, so the view is clipped or not drawn.
        case heightTooSmall

        /// The width is too small for anything, so nothing is drawn.
        case widthTooSmall

        /// An item of the app has no title; it is omitted.
        case blankMenuItem

        /// An item of the app has the identifier of another item, or of one of the view's own; it is omitted.
        case repeatedMenuItem
    }

    /// The kind of finding.
    public var code: Code

    /// The preference that the finding is about.
    public var field: String

    /// A human-readable description, which says what would be accepted.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, field: String, message: String) {
        self.code = code
        self.field = field
        self.message = message
    }
}

/// A notice to an app that UI presented by its attribution view covers the app, or was dismissed.
public struct PresentationNotice: Codable, Sendable, Equatable {
    /// The state of the presentation.
    public enum State: String, StringChoice {
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

/// An attribution view that an app requested, with the URL of its link.
public struct RequestedAttribution: Codable, Sendable, Equatable {
    /// The URL of the link, as the app gave it.
    public var url: String

    /// The view, as the app has it.
    public var attribution: AttributionView

    /// Creates the value from its parts.
    public init(url: String, attribution: AttributionView) {
        self.url = url
        self.attribution = attribution
    }
}
