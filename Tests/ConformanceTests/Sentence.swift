import Foundation
import WaypostTestSupport

/// A sentence of one of the talks, in our words: a line of `Tests/Vectors/conformance.jsonl`.
struct Sentence: Decodable, Sendable {
    /// The identifier, such as `B47`.
    var number: String

    /// The talk that contains it.
    var talk: Talk

    /// The section of the conformance page.
    var section: String

    /// The text of the sentence.
    var sentence: String

    /// The documented rule that implements it, or the implementing type.
    var rule: String

    /// Returns the sentences of both talks, in the order of the file.
    static func all() throws -> [Sentence] {
        let lines = try Repository.lines(of: Repository.vectors.appending(path: "conformance.jsonl"))
        return try lines.map { try JSONDecoder().decode(Sentence.self, from: Data($0.utf8)) }
    }
}
