/// A size, in points.
public struct LayoutSize: Codable, Sendable, Equatable {
    /// The width.
    public var width: Double

    /// The height.
    public var height: Double

    /// Creates the value from its parts.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}
