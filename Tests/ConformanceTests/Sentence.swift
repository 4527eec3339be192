import Foundation
import WaypostTestSupport

/// A sentence of a talk or of a documentation, in our words: a line of `Tests/Vectors/conformance.jsonl`.
struct Sentence: Sendable {
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

    /// The way in which a user can try it.
    var demonstration = SentenceDemonstration()

    /// Returns all sentences, in the order of the file.
    static func all() throws -> [Sentence] {
        let lines = try Repository.lines(of: Repository.vectors.appending(path: "conformance.jsonl"))
        return try lines.map { try JSONDecoder().decode(Sentence.self, from: Data($0.utf8)) }
    }
}

extension Sentence: Decodable {
    private enum CodingKeys: String, CodingKey {
        case number, talk, section, sentence, rule
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            number: try members.decode(String.self, forKey: .number),
            talk: try members.decode(Talk.self, forKey: .talk),
            section: try members.decode(String.self, forKey: .section),
            sentence: try members.decode(String.self, forKey: .sentence),
            rule: try members.decode(String.self, forKey: .rule),
            demonstration: try SentenceDemonstration(from: decoder)
        )
    }
}
