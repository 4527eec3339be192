/// A renderer for the pin mark: a pushpin seen from the side.
enum PinDrawing {
    /// Returns the mark.
    ///
    /// - Parameters:
    ///   - frame: its frame.
    ///   - color: its color.
    /// - Returns: its outline, filled.
    static func element(in frame: LayoutRectangle, _ color: String) -> SVGElement {
        var path = SVGPath(in: frame)
        path.move(to: 5, 1)
        for (x, y) in corners { path.addLine(to: x, y) }
        path.close()
        return SVGElement(.path, [.fill: color, .d: path.data])
    }

    /// The corners of its head, neck, collar and needle, clockwise from the upper left.
    private static let corners = [
        (15, 1), (15, 3), (13, 4), (13, 8), (16, 11), (16, 13), (11, 13), (11, 18), (10, 20), (9, 18), (9, 13), (4, 13),
        (4, 11), (7, 8), (7, 4), (5, 3),
    ]
}
