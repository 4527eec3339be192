internal import Highlights
public import WaypostSchema

/// An attribution view that an app requested.
public struct RequestedView: Sendable, Codable {
    /// The identity of a view.
    struct Identity: Hashable, Sendable, Codable {
        let app: BundleIdentifier
        let view: AttributionViewID
    }

    /// The app.
    public let app: BundleIdentifier

    /// The handle.
    public let view: AttributionViewID

    /// The highlight; the view ends with it.
    public let highlight: HighlightID

    /// The URL of the highlight, as the app gave it.
    public let url: String

    /// The app's preferences for the view.
    public internal(set) var preferences: AttributionPreferences

    /// The key of the link's content.
    let key: ContentKey

    /// The view as the app last received it, or `nil` before that.
    var provided: ProvidedView?

    /// A view as an app received it, with the data that it was made from.
    struct ProvidedView: Sendable, Codable {
        let view: AttributionView
        let link: SharedLinkRevision?
        let traits: AttributionTraits
    }
}
