/// The outline of a shape, drawn on a square grid of 20 × 20 steps and scaled to a frame.
struct SVGPath: Sendable {
    private let frame: LayoutRectangle
    private var commands: [String] = []

    /// Creates an empty outline on a grid.
    ///
    /// - Parameter frame: the frame of the grid.
    init(in frame: LayoutRectangle) {
        self.frame = frame
    }

    /// The outline as the value of the attribute `d`.
    var data: String {
        commands.joined(separator: " ")
    }

    /// Starts the outline at a point.
    mutating func move(to x: Int, _ y: Int) {
        commands.append("M\(position(x, y))")
    }

    /// Adds a straight line.
    mutating func addLine(to x: Int, _ y: Int) {
        commands.append("L\(position(x, y))")
    }

    /// Adds the smaller arc of an ellipse, counterclockwise.
    ///
    /// - Parameters:
    ///   - x: the x coordinate of the end.
    ///   - y: the y coordinate of the end.
    ///   - radii: the radii, in steps.
    mutating func addArc(to x: Int, _ y: Int, radii: (x: Int, y: Int)) {
        commands.append("A\(width(radii.x)) \(height(radii.y)) 0 0 0 \(position(x, y))")
    }

    /// Closes the outline.
    mutating func close() {
        commands.append("Z")
    }

    private func position(_ x: Int, _ y: Int) -> String {
        "\(frame.x + width(x)) \(frame.y + height(y))"
    }

    private func width(_ steps: Int) -> Points {
        Points(rawValue: frame.width.rawValue * steps / 20)
    }

    private func height(_ steps: Int) -> Points {
        Points(rawValue: frame.height.rawValue * steps / 20)
    }
}
