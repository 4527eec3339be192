public import WaypostSchema

/// Where everything of an attribution view stands; from the top left, in the view's own frame.
public struct AttributionLayout: Sendable, Equatable {
    /// What became of the contents.
    public let outcome: AttributionReport.Outcome

    /// How much of them is shown.
    public let step: AttributionReport.Step

    /// The size of the view: what an app leaves room for.
    public let size: LayoutExtent

    /// The size that the whole contents need, without any bound of the width and the height.
    public let naturalSize: LayoutExtent

    /// The size of text in force.
    public let contentSizeCategory: ContentSizeCategory

    /// The background in force; never `default`.
    public let backgroundStyle: AttributionPreferences.BackgroundStyle

    /// What the contents are drawn on, with round ends; `nil` where nothing is drawn.
    public let background: LayoutRectangle?

    /// The avatars, the first in front of the others.
    public let avatars: [PlacedAvatar]

    /// The mark of what is pinned; `nil` where there is none.
    public let pin: LayoutRectangle?

    /// The names, or the number beside avatars that stand alone; `nil` where no text is drawn.
    public let text: PlacedText?

    /// What is odd about the preferences.
    public let findings: [AttributionFinding]
}

/// A width and a height.
public struct LayoutExtent: Sendable, Hashable {
    public let width: Points
    public let height: Points
}

/// A place and its extent.
public struct LayoutRectangle: Sendable, Hashable {
    public let x: Points
    public let y: Points
    public let width: Points
    public let height: Points
}

/// An avatar in its place: a circle.
public struct PlacedAvatar: Sendable, Equatable {
    /// The square around the circle.
    public let frame: LayoutRectangle

    /// Whose it is.
    public let person: ShownPerson
}

/// A line of text in its place.
public struct PlacedText: Sendable, Hashable {
    /// The text, each name isolated (U+2068, U+2069).
    public let text: String

    /// Its left edge, as wide as it was measured and as high as a line.
    public let frame: LayoutRectangle

    /// Where its baseline is, from the top of the view.
    public let baseline: Points

    /// The size of the text, in points.
    public let size: Int
}
