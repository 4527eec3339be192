public import WaypostSchema

/// The attribution views that apps requested, each until its highlight is removed or the app releases it.
///
/// Views belong to their app: the same identifier in two apps identifies two views.
struct AttributionViews: Sendable, Codable {
    private var views: [RequestedView.Identity: RequestedView] = [:]

    var isEmpty: Bool {
        views.isEmpty
    }

    /// The view of an app with a handle.
    subscript(view: AttributionViewID, app: BundleIdentifier) -> RequestedView? {
        get { views[RequestedView.Identity(app: app, view: view)] }
        set { views[RequestedView.Identity(app: app, view: view)] = newValue }
    }

    /// Returns the views that match a condition, sorted by handle and app.
    func all(where isIncluded: (RequestedView) -> Bool) -> [RequestedView] {
        views.values.filter(isIncluded).sorted { left, right in
            (left.view.rawValue, left.app.rawValue) < (right.view.rawValue, right.app.rawValue)
        }
    }

    /// Removes the views of an app.
    mutating func removeAll(of app: BundleIdentifier) {
        views = views.filter { $0.key.app != app }
    }

    /// Removes the views of an app whose highlights an update removes.
    mutating func removeEndedViews(after update: HighlightsUpdate) {
        let removedHighlights = Set(update.changes.filter { $0.change == .removed }.map(\.highlight.id))
        guard !removedHighlights.isEmpty else { return }
        views = views.filter { $0.key.app != update.app || !removedHighlights.contains($0.value.highlight) }
    }
}

extension AttributionViewID {
    /// Returns a handle that nobody can guess: 128 random bits, encoded as 26 letters and digits.
    ///
    /// - Parameter generator: the source of the bits; handles for apps need a cryptographic one, such as the system's.
    /// - Returns: the handle.
    public static func unguessable(using generator: inout some RandomNumberGenerator) -> Self {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        let bits = UInt128(generator.next()) << 64 | UInt128(generator.next())
        let characters = (0..<26).map { letters[Int(truncatingIfNeeded: bits >> UInt128($0 * 5)) & 31] }
        return Self(rawValue: String(decoding: characters, as: UTF8.self))
    }
}
