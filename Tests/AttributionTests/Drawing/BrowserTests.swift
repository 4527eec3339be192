import Foundation
import Testing
import WaypostTestSupport

/// Measurements in a browser: no text, letter or shape exceeds its bounds.
@Suite struct BrowserTests {
    /// The findings about all pictures and some invalid pictures, which are drawn once.
    private static let findings = Task {
        try await BrowserPage(pictures: BrowserGallery.all + wrong.map(\.picture)).findings()
    }

    /// Invalid pictures with their problems.
    private static let wrong: [(picture: Picture, problems: [BrowserPage.Finding.Problem])] = [
        (drawn("wrong-long", text(x: 20, "textLength=\"92\"", of: "letters and letters")), [.outsideBox]),
        (drawn("wrong-low", text(x: 20, y: 29)), [.outsideHeight, .outsideBox]),
        (drawn("wrong-squeezed", text(x: 20, "textLength=\"12\"")), [.squeezed]),
        (drawn("wrong-marks", text(x: 20, y: 12, of: "l\u{1EAA}tters")), [.outsideBox]),
        (drawn("wrong-shape", "<circle cx=\"95\" cy=\"15\" r=\"10\"/>"), [.outsidePicture]),
        (
            drawn("wrong-letters", smallCircle + text(x: 20, "text-anchor=\"middle\"")),
            [.outsideCircle]
        ),
        (
            drawn("wrong-high-letters", smallCircle + text(x: 20, y: 12, monogram, of: "E")),
            [.outsideCircle]
        ), (drawn("wrong-placeholder", text(x: 10, "text-anchor=\"middle\" textLength=\"20\"")), [.outsideCircle]),
        (Picture(name: "wrong-markup", svg: "<p>none</p>", terminalText: ""), [.notDrawn]),
    ]

    private static let monogram = "text-anchor=\"middle\" textLength=\"8\""

    private static let smallCircle = "<circle cx=\"20\" cy=\"15\" r=\"8\"/>"

    private static func text(
        x: Int,
        y: Int = 20,
        _ attributes: String = "textLength=\"40\"",
        of text: String = "letters"
    ) -> String {
        "<text x=\"\(x)\" y=\"\(y)\" font-size=\"12\" font-family=\"sans-serif\" \(attributes)>\(text)</text>"
    }

    private static func drawn(_ name: String, _ contents: String) -> Picture {
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="100" height="30"><title>wrong</title>\
            <rect x="4" y="2" width="90" height="28" fill="#eee"/>\(contents)</svg>
            """
        return Picture(name: name, svg: svg, terminalText: "")
    }

    @Test func browserIsInstalled() {
        #expect(
            FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium"),
            "the tests measure pictures with Debian's chromium, which `make test` installs"
        )
    }

    @Test(.proves("B82")) func nothingExceedsItsBounds() async throws {
        let findings = try await Self.findings.value.filter { !$0.name.hasPrefix("wrong-") }
        #expect(findings.isEmpty, "\(findings.count), such as \(findings.prefix(5))")
    }

    @Test func everyKindOfProblemIsFound() async throws {
        let findings = try await Self.findings.value
        for (picture, problems) in Self.wrong {
            #expect(findings.filter { $0.name == picture.name }.map(\.problem) == problems, "\(picture.name)")
        }
    }
}
