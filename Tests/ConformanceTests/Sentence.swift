import Foundation
import WaypostTestSupport

/// A sentence of one of the talks, in our words: a line of `Tests/Vectors/conformance.jsonl`.
struct Sentence: Decodable, Sendable {
    /// What it is known by, such as `B47`.
    var number: String

    /// The talk that it is of.
    var talk: Talk

    /// What it is about.
    var section: String

    /// The sentence itself.
    var sentence: String

    /// Where what implements it is documented, or its type.
    var rule: String

    /// The sentences of both talks, in the order of the file.
    static func all() throws -> [Sentence] {
        let lines = try Repository.lines(of: Repository.vectors.appending(path: "conformance.jsonl"))
        return try lines.map { try JSONDecoder().decode(Sentence.self, from: Data($0.utf8)) }
    }
}
