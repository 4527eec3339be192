internal import WaypostSchema

/// The attribution views that apps asked for, each until its highlight is gone or the app lets go of it.
///
/// Apps do not know of each other's: the same handle in two apps is two views.
struct AttributionViews: Sendable, Codable {
    private var views: [RequestedView.Place: RequestedView] = [:]

    var isEmpty: Bool {
        views.isEmpty
    }

    /// A view of an app.
    subscript(view: AttributionViewID, app: BundleIdentifier) -> RequestedView? {
        get { views[RequestedView.Place(app: app, view: view)] }
        set { views[RequestedView.Place(app: app, view: view)] = newValue }
    }

    /// Returns the views for which something holds, in the order of their handles and apps.
    func all(where isMeant: (RequestedView) -> Bool) -> [RequestedView] {
        views.values.filter(isMeant).sorted { left, right in
            (left.view.rawValue, left.app.rawValue) < (right.view.rawValue, right.app.rawValue)
        }
    }

    /// Lets go of the views of an app.
    mutating func removeAll(of app: BundleIdentifier) {
        views = views.filter { $0.key.app != app }
    }

    /// Takes in what an app is told of its highlights: a view ends with its highlight.
    mutating func take(_ update: HighlightsUpdate) {
        let removed = Set(update.changes.filter { $0.change == .removed }.map(\.highlight.id))
        guard !removed.isEmpty else { return }
        views = views.filter { $0.key.app != update.app || !removed.contains($0.value.highlight) }
    }
}
