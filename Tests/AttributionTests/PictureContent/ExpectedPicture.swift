import Foundation
import Testing
import WaypostTestSupport

/// The content that a stored picture must show.
///
/// The expectations are written by hand: from the rules in `docs/attribution.md`, and from the people, conversations
/// and previews that the gallery gives the picture. They are never generated.
struct ExpectedPicture: Decodable, Sendable, CustomTestStringConvertible {
    /// The name of the picture.
    let picture: String

    /// A description of what the picture is drawn from.
    let shows: String

    /// The numbers of the rules from which the expectations follow.
    let rules: [Int]

    /// Whether the texts are lighter than their ground.
    let isDark: Bool?

    /// Parts of the title of the picture, in their order.
    let title: [String]?

    /// All visible texts in reading order.
    let texts: [Text]

    /// A text on one line, or on several if it is wrapped at spaces.
    struct Text: Decodable {
        /// The whole text, even if the picture must truncate it.
        let text: String

        /// Whether the picture must truncate the text: at least two characters, and "…".
        let isTruncated: Bool?

        /// The text after "…" in a truncated text.
        let ending: String?

        /// The size of the font.
        let size: Double?

        /// Parts of the text from left to right, as they are drawn.
        let parts: [String]?

        /// The shapes that contain the text, such as an avatar or a card.
        ///
        /// Each of them contains all texts with its name, and no others.
        let `in`: [String]?
    }

    var testDescription: String { picture }

    static func all() throws -> [ExpectedPicture] {
        let file = Repository.vectors.appending(path: "attribution/content.jsonl")
        return try Repository.lines(of: file).map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }

    /// Returns a stored picture.
    static func svg(of picture: String) throws -> String {
        let file = Repository.vectors.appending(path: "attribution/svg/\(picture).svg")
        return try String(contentsOf: file, encoding: .utf8)
    }
}
