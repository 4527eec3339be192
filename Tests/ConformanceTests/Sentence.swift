import Foundation
import WaypostTestSupport

/// A sentence of a talk or of a documentation, in our words: a line of `Tests/Vectors/conformance.jsonl`.
struct Sentence: Decodable, Sendable {
    /// The identifier, such as `B47`.
    var number: String

    /// The source that contains it.
    var talk: Talk

    /// The section of the conformance page.
    var section: String

    /// The text of the sentence.
    var sentence: String

    /// The documented rule that implements it, or the implementing type.
    var rule: String

    /// Returns all sentences, in the order of the file.
    static func all() throws -> [Sentence] {
        let lines = try Repository.lines(of: Repository.vectors.appending(path: "conformance.jsonl"))
        return try lines.map { try JSONDecoder().decode(Sentence.self, from: Data($0.utf8)) }
    }
}
