import WaypostTestSupport

/// A page of pictures whose script measures them after the browser has drawn them.
struct BrowserPage {
    let pictures: [Picture]

    /// An element that exceeds its bounds.
    struct Finding: Decodable, Equatable {
        /// The picture.
        let name: String

        /// The kind of problem.
        let problem: Problem

        /// The text or the shape.
        let part: String

        enum Problem: String, Decodable {
            /// A shape exceeds the picture.
            case outsidePicture

            /// A text exceeds the rectangle in which it starts.
            case outsideBox

            /// A monogram exceeds its circle or its rectangle.
            case outsideCircle

            /// The font box of a text exceeds the upper or the lower edge of the picture.
            case outsideHeight

            /// A text would be more than a seventh wider without its given width, or more than a quarter narrower.
            case squeezed

            /// A picture is not an SVG picture.
            case notDrawn
        }
    }

    /// Draws the page with Chromium and returns the findings of its script.
    func findings() async throws -> [Finding] {
        try await BrowserResult.evaluate(html, as: [Finding].self)
    }

    /// Definitions are numbered within each picture, so a page with several pictures needs unique names.
    private var html: String {
        let cases = pictures.map { picture in
            let svg = picture.svg.replacing("part-", with: "\(picture.name)-part-")
            let traits = "data-cut=\"\(picture.isCut)\" data-any=\"\(picture.isOfAnyScript)\""
            return "<div data-name=\"\(picture.name)\" \(traits)>\(svg)</div>"
        }
        return """
            <!DOCTYPE html><html><head><meta charset="utf-8"></head><body style="width: 20000px">
            \(cases.joined(separator: "\n"))
            <pre id="result"></pre><script>\(BrowserResult.function)\(Self.script)</script></body></html>
            """
    }
}
