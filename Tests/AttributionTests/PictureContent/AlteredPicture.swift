import Foundation
import Testing

/// A picture with one mistake, which the expectations must find.
struct AlteredPicture: Sendable, CustomTestStringConvertible {
    /// The mistake.
    let name: String

    /// A part of the correct picture.
    let part: String

    /// The text in its place.
    let replacement: String

    /// The kind of problem that must be found; others can follow from the mistake.
    let problem: ContentProblem.Kind

    var testDescription: String { name }

    /// Returns the picture with its mistake.
    ///
    /// - Throws: `Unchanged` if the correct picture lacks the part.
    func svg() throws -> String {
        guard let range = Self.correct.firstRange(of: part) else { throw Unchanged(name: name) }
        return Self.correct.replacingCharacters(in: range, with: replacement)
    }

    struct Unchanged: Error {
        let name: String
    }
}

extension AlteredPicture {
    /// A correct picture, which is independent of our layout: a heading, a card with an attribution view, and a row on
    /// two lines below a separator.
    static let correct = """
        <svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" font-family="sans-serif">
        <title>Shared by سارة and Enrique</title>
        <rect x="0" y="0" width="300" height="200" fill="#F2F2F7"/>
        <text x="10" y="24" font-size="20" textLength="144" fill="#1C1C1E">Shared with You</text>
        <rect x="10" y="40" width="280" height="90" fill="#FFFFFF"/>
        <rect x="20" y="50" width="60" height="60" fill="#025BB2"/>
        <text x="50" y="91" font-size="30" text-anchor="middle" textLength="18" fill="#002040">T</text>
        <text x="90" y="65" font-size="15" textLength="135" fill="#1C1C1E">Ten minutes that c…</text>
        <rect x="90" y="80" width="190" height="30" fill="#E9E9EE"/>
        <circle cx="124" cy="95" r="10" fill="#02695B"/>
        <text x="126" y="98" font-size="8" text-anchor="middle" textLength="11" fill="#001010">EN</text>
        <circle cx="108" cy="95" r="10" fill="#1972D4"/>
        <text x="108" y="98" font-size="8" text-anchor="middle" textLength="8" fill="#001030">س</text>
        <text x="142" y="100" font-size="15" textLength="120" fill="#3C3C43">⁨سارة⁩ and ⁨Enrique⁩</text>
        <rect x="10" y="140" width="280" height="0.5" fill="#D1D1D6"/>
        <text x="20" y="160" font-size="15" textLength="132" fill="#1C1C1E">A title on the first</text>
        <text x="20" y="180" font-size="15" textLength="125" fill="#1C1C1E">and the second line</text>
        </svg>
        """

    /// The content of the correct picture.
    static func expected() throws -> ExpectedPicture {
        let json = """
            {"picture":"correct","shows":"","rules":[],"title":["سارة","Enrique"],"texts":[
            {"text":"Shared with You"},{"text":"T","in":["card","placeholder"]},
            {"text":"Ten minutes that changed juggling","isTruncated":true,"in":["card"]},
            {"text":"س","in":["card","view","avatar 1"]},{"text":"EN","in":["card","view","avatar 2"]},
            {"text":"سارة and Enrique","size":15,"parts":["سارة","and","Enrique"],"in":["card","view"]},
            {"text":"A title on the first and the second line"}]}
            """
        return try JSONDecoder().decode(ExpectedPicture.self, from: Data(json.utf8))
    }

    static let all = texts + places + looks

    private static let texts = [
        Self("names-are-swapped", "⁨سارة⁩ and ⁨Enrique⁩", "⁨Enrique⁩ and ⁨سارة⁩", .text),
        Self("name-is-missing", "⁨سارة⁩ and ⁨Enrique⁩", "⁨Enrique⁩", .text),
        Self("monogram-is-wrong", ">EN<", ">NE<", .text),
        Self("text-is-not-truncated", "Ten minutes that c…", "Ten minutes that changed juggling", .text),
        Self("text-is-truncated", "⁨Enrique⁩", "⁨Enri…⁩", .text),
        Self("one-letter-is-left", "Ten minutes that c…", "T…", .text),
        Self("second-line-is-wrong", "and the second line", "and the third line", .text),
        Self("text-is-superfluous", "</svg>", "<text x=\"200\" y=\"180\" fill=\"#000000\">More</text></svg>", .text),
        Self("title-lacks-a-name", "by سارة and", "by", .title),
    ]

    private static let places = [
        Self("names-are-from-right-to-left", "x=\"142\"", "x=\"142\" direction=\"rtl\" text-anchor=\"end\"", .parts),
        Self("avatars-are-swapped", "x=\"126\" y=\"98\"", "x=\"99\" y=\"98\"", .text),
        Self("lines-are-swapped", "y=\"160\"", "y=\"198\"", .text),
        Self("letter-is-beside-its-placeholder", "x=\"50\" y=\"91\"", "x=\"250\" y=\"70\"", .text),
        Self("avatar-is-away", "cx=\"124\"", "cx=\"270\"", .shape),
        Self("card-is-away", "y=\"40\" width=\"280\"", "y=\"400\" width=\"280\"", .shape),
        Self("label-leaves-the-picture", "x=\"142\"", "x=\"190\"", .outside),
        Self("text-leaves-its-card", "x=\"90\" y=\"65\"", "x=\"200\" y=\"65\"", .outside),
        Self("text-is-on-a-separator", "y=\"160\"", "y=\"145\"", .outside),
        Self("label-is-on-an-avatar", "x=\"142\"", "x=\"125\"", .overlap),
        Self("lines-overlap", "y=\"180\"", "y=\"170\"", .overlap),
    ]

    private static let looks = [
        Self("text-is-smaller", "y=\"100\" font-size=\"15\"", "y=\"100\" font-size=\"14\"", .size),
        Self("text-needs-more-room", "y=\"65\" font-size=\"15\"", "y=\"65\" font-size=\"24\"", .room),
        Self("text-is-covered", "</svg>", "<path d=\"M210 80H280V110H210Z\"/></svg>", .hidden),
        Self("text-is-clipped", "<text x=\"20\" y=\"160\"", "\(clip)<text \(clipped) x=\"20\" y=\"160\"", .hidden),
        Self("text-is-not-drawn", "x=\"10\" y=\"24\"", "visibility=\"hidden\" x=\"10\" y=\"24\"", .hidden),
        Self("text-is-light-on-light", "fill=\"#3C3C43\"", "fill=\"#FFFFFF\"", .appearance),
    ]

    private static let clip =
        "<defs><clipPath id=\"part-1\"><rect x=\"20\" y=\"140\" width=\"60\" height=\"40\"/></clipPath></defs>"

    private static let clipped = "clip-path=\"url(#part-1)\""

    private init(_ name: String, _ part: String, _ replacement: String, _ problem: ContentProblem.Kind) {
        (self.name, self.part, self.replacement, self.problem) = (name, part, replacement, problem)
    }
}
