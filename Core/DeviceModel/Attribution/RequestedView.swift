internal import Highlights
public import WaypostSchema

/// An attribution view that an app asked for.
public struct RequestedView: Sendable, Codable {
    /// Which view it is.
    struct Place: Hashable, Sendable, Codable {
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

    /// What the app asks of the view.
    public internal(set) var preferences: AttributionPreferences

    /// What the link is about.
    let key: ContentKey

    /// What the app was handed, and what that was made of; `nil` before that.
    var provided: Provision?

    /// What an app was handed, and what that was made of.
    struct Provision: Sendable, Codable {
        let view: AttributionView
        let link: SharedLinkRevision?
        let traits: AttributionTraits
    }
}
