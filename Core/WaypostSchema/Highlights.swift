/// A link that was shared in Messages, as the app that handles it sees it (`SWHighlight`).
///
/// It never contains the sender, the conversation or the text of the message.
public struct Highlight: Codable, Sendable, Hashable {
    /// The identifier for the app; stable as long as the device has the link.
    public var id: HighlightID

    /// The URL, as sent.
    public var url: String

    /// Creates the value from its parts.
    public init(id: HighlightID, url: String) {
        self.id = id
        self.url = url
    }
}

/// The state of an app's highlights; an empty list on the platform can mean any of the first three.
public enum HighlightsState: String, StringChoice {
    /// Not all association files of the app's domains were requested yet.
    case notLoaded

    /// The user turned sharing off, or the app lacks the capability.
    case denied

    /// No shared link may be shown in the app.
    case empty

    /// There are highlights.
    case ready
}

/// The reason why the first item of a list is not curated.
public enum CurationGap: String, StringChoice {
    /// The list has no items.
    case empty

    /// Every item was shared too recently.
    case tooRecent

    /// Every item was shared too long ago and is not pinned.
    case stale

    /// Every item was shared too recently, or too long ago and is not pinned.
    case tooRecentOrStale
}

/// A page of an app's highlights, in order (`SWHighlightCenter.highlights`).
public struct HighlightPage: Codable, Sendable, Equatable {
    /// The state; the list is empty unless it is `ready`.
    public var state: HighlightsState

    /// The requested highlights, the most relevant first.
    public var highlights: [Highlight]

    /// The index of the first of these highlights in the whole list, from 0.
    public var offset: Int

    /// The number of highlights in the whole list.
    public var total: Int

    /// Whether the first highlight of the whole list is curated.
    public var curated: Bool

    /// The reason why it is not; absent if it is.
    public var curationGap: CurationGap?

    /// Creates the value from its parts.
    public init(
        state: HighlightsState,
        highlights: [Highlight],
        offset: Int,
        total: Int,
        curated: Bool,
        curationGap: CurationGap? = nil
    ) {
        self.state = state
        self.highlights = highlights
        self.offset = offset
        self.total = total
        self.curated = curated
        self.curationGap = curationGap
    }
}

/// The way an app shows content with an attribution view (`SWAttributionView.DisplayContext`).
public enum DisplayContext: String, StringChoice {
    /// The content is shown among other content, for example in a list; the default.
    case summary

    /// The user is consuming the content.
    case detail
}
