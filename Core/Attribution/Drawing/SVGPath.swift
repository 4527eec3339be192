/// The outline of a shape, drawn on a square grid of twenty steps and put in its place.
struct SVGPath: Sendable {
    private let frame: LayoutRectangle
    private var commands: [String] = []

    /// Creates an empty outline on a grid.
    ///
    /// - Parameter frame: where the grid is.
    init(in frame: LayoutRectangle) {
        self.frame = frame
    }

    /// The outline, as the attribute `d` has it.
    var data: String {
        commands.joined(separator: " ")
    }

    /// Begins at a point.
    mutating func move(to x: Int, _ y: Int) {
        commands.append("M\(position(x, y))")
    }

    /// Goes on in a line.
    mutating func line(to x: Int, _ y: Int) {
        commands.append("L\(position(x, y))")
    }

    /// Goes on in the lesser arc of an ellipse, against the clock.
    ///
    /// - Parameters:
    ///   - x: where it ends.
    ///   - y: where it ends.
    ///   - radii: its radii, in steps.
    mutating func arc(to x: Int, _ y: Int, radii: (x: Int, y: Int)) {
        commands.append("A\(width(radii.x)) \(height(radii.y)) 0 0 0 \(position(x, y))")
    }

    /// Goes back to where the outline began.
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
