import Foundation
import WaypostTestSupport

/// A page with pictures that measures them itself, as a browser has drawn them.
struct BrowserPage {
    let pictures: [Picture]

    /// What reaches beyond what it stands on.
    struct Finding: Decodable, Equatable {
        /// The picture.
        let name: String

        /// What is wrong.
        let problem: Problem

        /// The text or the shape.
        let part: String

        enum Problem: String, Decodable {
            /// A shape reaches beyond the picture.
            case outsidePicture

            /// Text reaches beyond the rectangle that it begins on.
            case outsideBox

            /// A monogram reaches beyond the circle, or the rectangle, that it stands on.
            case outsideCircle

            /// The box of a text's font reaches beyond the upper or the lower edge of the picture.
            case outsideHeight

            /// Text would be more than a seventh wider without its given width, or more than a quarter narrower.
            case squeezed

            /// A picture is no picture.
            case notDrawn
        }
    }

    /// Lets Chromium draw the page and returns what the page found.
    func findings() async throws -> [Finding] {
        let folder = try ScratchFolder()
        let page = try folder.write(Data(html.utf8), to: "gallery.html")
        let document = try await ExternalCommand.run([
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--user-data-dir=\(folder.path(of: "profile"))", "--virtual-time-budget=60000", "--dump-dom",
            "file://\(page)",
        ])
        let text = String(decoding: document, as: UTF8.self)
        guard let match = text.firstMatch(of: /FINDINGS\[([A-Za-z0-9+\/=]*)\]/),
            let json = Data(base64Encoded: String(match.1))
        else {
            throw NoFindings(page: String(text.suffix(500)))
        }
        return try JSONDecoder().decode([Finding].self, from: json)
    }

    struct NoFindings: Error {
        let page: String
    }

    /// Definitions are known by number in each picture; in a page with several they need names of their own.
    private var html: String {
        let cases = pictures.map { picture in
            let svg = picture.svg.replacing("part-", with: "\(picture.name)-part-")
            let traits = "data-cut=\"\(picture.isCut)\" data-any=\"\(picture.isOfAnyScript)\""
            return "<div data-name=\"\(picture.name)\" \(traits)>\(svg)</div>"
        }
        return """
            <!DOCTYPE html><html><head><meta charset="utf-8"></head><body style="width: 20000px">
            \(cases.joined(separator: "\n"))
            <pre id="result"></pre><script>\(Self.script)</script></body></html>
            """
    }
}
