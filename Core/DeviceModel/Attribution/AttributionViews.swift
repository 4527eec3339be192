internal import Highlights
public import WaypostSchema

/// The attribution views that apps asked for, each until its highlight is gone or the app lets go of it.
struct AttributionViews: Sendable {
    private var views: [AttributionViewID: RequestedView] = [:]

    var isEmpty: Bool {
        views.isEmpty
    }

    /// Returns a view of an app; to an app another's is the same as none.
    subscript(id: AttributionViewID, app: BundleIdentifier) -> RequestedView? {
        views[id].flatMap { $0.app == app ? $0 : nil }
    }

    /// Returns a view, whosever it is: for the side that draws.
    subscript(id: AttributionViewID) -> RequestedView? {
        get { views[id] }
        set { views[id] = newValue }
    }

    /// The views for which something holds, in the order of their identifiers.
    func identifiers(where isMeant: (RequestedView) -> Bool) -> [AttributionViewID] {
        views.filter { isMeant($0.value) }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// Lets go of the views of an app.
    mutating func removeAll(of app: BundleIdentifier) {
        views = views.filter { $0.value.app != app }
    }

    /// Takes in what an app is told of its highlights: a view ends with its highlight.
    mutating func take(_ update: HighlightsUpdate) {
        let removed = Set(update.changes.filter { $0.change == .removed }.map(\.highlight.id))
        guard !removed.isEmpty else { return }
        views = views.filter { $0.value.app != update.app || !removed.contains($0.value.highlight) }
    }
}

/// An attribution view that an app asked for.
public struct RequestedView: Sendable {
    /// The app.
    public let app: BundleIdentifier

    /// The highlight; the view ends with it.
    public let highlight: HighlightID

    /// The URL of the highlight, as the app gave it.
    public let url: String

    /// What the app asks of the view.
    public internal(set) var preferences: AttributionPreferences

    /// What the link is about.
    let key: ContentKey

    /// What the app was handed, and what that was made of; `nil` before that.
    var provided: (view: AttributionView, link: SharedLinkRevision?, traits: AttributionTraits)?
}
