internal import Foundation

/// The part of a line of `Tests/Vectors/conformance.jsonl` that says how a user can try the sentence.
package struct SentenceDemonstration: Decodable, Sendable {
    /// The command, which runs in the root of the repository without a gateway, or `nil` if nothing can be tried.
    package var command: String?

    /// A text that is in one step of the command's scenario only, or in the comment before the step.
    package var step: String?

    /// A text that the command prints, if it runs no scenario.
    package var output: String?

    /// The exit status of the command, or `nil` if it is 0.
    package var status: Int32?

    /// The reason for which nothing can be tried, in a sentence.
    package var reason: String?

    private enum CodingKeys: String, CodingKey {
        case command = "try"
        case step
        case output = "shows"
        case status
        case reason = "untried"
    }

    /// Creates a demonstration of a sentence.
    package init(
        command: String? = nil,
        step: String? = nil,
        output: String? = nil,
        status: Int32? = nil,
        reason: String? = nil
    ) {
        self.command = command
        self.step = step
        self.output = output
        self.status = status
        self.reason = reason
    }

    /// The path of the scenario that the command runs, or `nil` if it is another command.
    package var scenario: String? {
        let prefix = "waypost scenario run "
        guard let command, command.hasPrefix(prefix) else { return nil }
        return String(command.dropFirst(prefix.count))
    }

    /// Returns the demonstrations of all sentences, in the order of the file.
    package static func all() throws -> [SentenceDemonstration] {
        let lines = try Repository.lines(of: Repository.vectors.appending(path: "conformance.jsonl"))
        return try lines.map { try JSONDecoder().decode(SentenceDemonstration.self, from: Data($0.utf8)) }
    }
}
