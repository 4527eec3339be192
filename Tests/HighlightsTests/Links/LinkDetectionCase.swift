import Foundation
import Highlights
import Testing
import WaypostTestSupport

/// A text and the expected URLs in it.
struct LinkDetectionCase: Decodable, CustomTestStringConvertible {
    var text: String
    var urls: [String]
    var note: String?
    var testDescription: String { text.debugDescription }

    init(_ text: String, _ urls: String...) {
        (self.text, self.urls) = (text, urls)
    }

    /// Returns the cases of a file of JSON lines.
    static func all(in file: URL) throws -> [Self] {
        try Repository.lines(of: file).map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }

    /// The URLs that the detector finds.
    var found: [String] {
        LinkDetector.links(in: text).map(\.url)
    }
}
