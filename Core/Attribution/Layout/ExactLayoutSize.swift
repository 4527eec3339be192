public import WaypostSchema

/// A width and a height, exact in hundredths of a point; JSON has them as a `LayoutSize`.
public struct ExactLayoutSize: Sendable, Hashable {
    /// The width.
    public let width: Points

    /// The height.
    public let height: Points

    /// Creates the value from its parts.
    public init(width: Points, height: Points) {
        self.width = width
        self.height = height
    }

    /// The size in points, for JSON.
    public var inPoints: LayoutSize { LayoutSize(width: width.inPoints, height: height.inPoints) }
}
