/// A link that was shared in Messages, as the app that handles it may know it (`SWHighlight`).
///
/// It has nothing of who shared it, where and with which words, and no place to put that.
public struct Highlight: Codable, Sendable, Hashable {
    /// What the app knows it by; the same for as long as the device has the link.
    public var id: HighlightID

    /// The URL, as it was sent.
    public var url: String

    /// Creates the value from its parts.
    public init(id: HighlightID, url: String) {
        self.id = id
        self.url = url
    }
}

/// How things stand with an app's highlights; the platform's empty list means any of the first three.
public enum HighlightsState: String, StringChoice {
    /// The association files of the app's domains were not all asked for yet.
    case notLoaded

    /// The person has turned sharing off, or the app is without the capability.
    case denied

    /// Nothing that was shared may be shown in the app.
    case empty

    /// There are highlights.
    case ready
}

/// Why the first item of a list is not a curated one.
public enum CurationGap: String, StringChoice {
    /// The list has no items.
    case empty

    /// Every item was shared too recently.
    case tooRecent

    /// Every item was shared too long ago and is not pinned.
    case stale

    /// Every item is one or the other.
    case tooRecentOrStale
}

/// A part of an app's highlights, in order (`SWHighlightCenter.highlights`).
public struct HighlightPage: Codable, Sendable, Equatable {
    /// How things stand; the list is empty where it is not `ready`.
    public var state: HighlightsState

    /// The part that was asked for, the most relevant first.
    public var highlights: [Highlight]

    /// The place of the part's first item in the whole list, from 0.
    public var offset: Int

    /// How many highlights there are in all.
    public var total: Int

    /// Whether the first of all highlights was curated.
    public var curated: Bool

    /// Why not, where it was not.
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

/// How an app shows content with an attribution view (`SWAttributionView.DisplayContext`).
public enum DisplayContext: String, StringChoice {
    /// The content is shown for consumption, in a list for example; the default.
    case summary

    /// The person is consuming the content.
    case detail
}
