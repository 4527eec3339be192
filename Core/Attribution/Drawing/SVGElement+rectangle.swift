extension SVGElement {
    /// Creates a filled rectangle.
    ///
    /// - Parameters:
    ///   - frame: its frame.
    ///   - radius: the radius of its corners.
    ///   - fill: its color.
    init(_ frame: LayoutRectangle, radius: Points = .zero, fill: String) {
        self.init(
            .rect,
            [.x: frame.x, .y: frame.y, .width: frame.width, .height: frame.height, .rx: radius, .fill: fill]
        )
    }
}
