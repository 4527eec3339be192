/// A rectangle, exact in hundredths of a point.
public struct LayoutRectangle: Sendable, Hashable {
    /// The left edge.
    public let x: Points

    /// The top edge.
    public let y: Points

    /// The width.
    public let width: Points

    /// The height.
    public let height: Points

    /// Creates the value from its parts.
    public init(x: Points, y: Points, width: Points, height: Points) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension LayoutRectangle {
    /// The right edge.
    var maxX: Points { x + width }

    /// The bottom edge.
    var maxY: Points { y + height }

    /// The horizontal center.
    var midX: Points { x + width.half }

    /// The vertical center.
    var midY: Points { y + height.half }
}
