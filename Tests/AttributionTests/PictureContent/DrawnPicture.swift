import WaypostTestSupport

/// A picture as a browser has drawn it.
///
/// Boxes are in points from the upper left corner of the picture.
struct DrawnPicture: Decodable, Sendable {
    let name: String

    /// The description of the picture, which is not drawn.
    let title: String

    let box: Box
    let shapes: [Shape]
    let texts: [Text]

    /// A rectangle or a circle.
    struct Shape: Decodable {
        let isRectangle: Bool
        let box: Box

        /// The lightness of its color, from 0 to 255; `nil` for a gradient.
        let lightness: Double?
    }

    /// A text on one line.
    struct Text: Decodable {
        let text: String
        let box: Box

        /// The size of the font.
        let size: Double

        /// The lightness of its color, from 0 to 255.
        let lightness: Double?

        let isCentered: Bool

        /// The width in the font of the machine, without a given width.
        let freeWidth: Double

        /// The horizontal middle of each UTF-16 code unit.
        let middles: [Double]

        /// Whether no shape covers or clips it.
        let isVisible: Bool
    }

    struct Box: Decodable {
        let left: Double
        let right: Double
        let top: Double
        let bottom: Double

        var width: Double { right - left }
        var area: Double { width * (bottom - top) }
    }
}

extension DrawnPicture {
    /// Draws pictures with Chromium, all on one page, and returns them by name.
    static func drawn(_ pictures: [(name: String, svg: String)]) async throws -> [String: DrawnPicture] {
        let holders = pictures.map { name, svg in
            // Definitions are numbered within each picture, so a page with several pictures needs unique names.
            "<div data-name=\"\(name)\">\(svg.replacing("part-", with: "\(name)-part-"))</div>"
        }
        let html = """
            <!DOCTYPE html><html><head><meta charset="utf-8"></head><body style="width: 20000px">
            \(holders.joined(separator: "\n"))
            <pre id="result"></pre><script>\(BrowserResult.function)\(script)</script></body></html>
            """
        let drawn = try await BrowserResult.evaluate(html, as: [DrawnPicture].self)
        return Dictionary(drawn.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the shape directly below a text: the smallest one that contains its box.
    func ground(of text: Text) -> Shape? {
        shapes.filter { $0.box.contains(text.box) }.min { $0.box.area < $1.box.area }
    }

    /// The texts as people read them: rows from top to bottom, columns within a row from left to right.
    ///
    /// A text that has a shape for itself, such as the letter of a placeholder, has the place of the shape.
    var textsInReadingOrder: [Text] {
        let placed = texts.map { text in
            let ground = ground(of: text)?.box ?? box
            let isAlone = texts.count { ground.contains($0.box) } == 1
            return (text: text, box: isAlone ? ground : text.box)
        }
        return ReadingOrder.sorted(placed, box: \.box).map(\.text)
    }
}

extension DrawnPicture.Box {
    /// The boxes of a browser are rounded, so they may exceed each other by this length.
    static let slack = 0.4

    func contains(_ other: Self) -> Bool {
        other.left >= left - Self.slack && other.right <= right + Self.slack
            && other.top >= top - Self.slack && other.bottom <= bottom + Self.slack
    }

    func overlaps(_ other: Self) -> Bool {
        min(right, other.right) - max(left, other.left) > Self.slack
            && min(bottom, other.bottom) - max(top, other.top) > Self.slack
    }
}
