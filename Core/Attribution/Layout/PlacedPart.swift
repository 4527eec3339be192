/// An avatar in its place: a circle.
public struct PlacedAvatar: Sendable, Equatable {
    /// The square around the circle.
    public let frame: LayoutRectangle

    /// Whose it is.
    public let person: ShownPerson

    /// Creates the value from its parts.
    public init(frame: LayoutRectangle, person: ShownPerson) {
        self.frame = frame
        self.person = person
    }
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
