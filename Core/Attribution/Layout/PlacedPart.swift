/// A round avatar at its position.
public struct PlacedAvatar: Sendable, Equatable {
    /// The square around the circle.
    public let frame: LayoutRectangle

    /// The person whose avatar it is.
    public let person: ShownPerson

    /// Creates the value from its parts.
    public init(frame: LayoutRectangle, person: ShownPerson) {
        self.frame = frame
        self.person = person
    }
}

/// A line of text at its position.
public struct PlacedText: Sendable, Hashable {
    /// The text, each name isolated (U+2068, U+2069).
    public let text: String

    /// The frame, with the measured width and the height of a line.
    public let frame: LayoutRectangle

    /// The distance of the baseline from the top of the view.
    public let baseline: Points

    /// The size of the text, in points.
    public let size: Int
}
