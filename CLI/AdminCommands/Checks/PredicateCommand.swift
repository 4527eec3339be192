internal import ArgumentParser
internal import Foundation
internal import PredicateFormat
internal import TextReports
internal import WaypostSchema

/// The `waypost predicate` commands, which evaluate predicates.
struct PredicateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "predicate",
        abstract: "Evaluate the predicates of activation conditions.",
        subcommands: [PredicateEvalCommand.self]
    )
}

/// The `waypost predicate eval` command, which evaluates predicates.
struct PredicateEvalCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval",
        abstract: "Evaluate predicates on values.",
        usage: """
            waypost predicate eval --predicate <format> --value <value>
            waypost predicate eval [<file> ...]
            """,
        discussion: """
            With --predicate and --value: prints the result and the part of the predicate that decided it. Exits with \
            0 if the result is true, 1 if it is false and 2 if the predicate cannot be used.

            Without them: works as a filter. Each line {"format":"SELF == 'x'","value":"x"} is answered with one line, \
            {"result":true,"canonical":"SELF == \\"x\\""} or {"error":{"code":…,"message":…,"offset":…}}; with \
            --trace, also with the deciding part: {"deciding":{"predicate":…,"result":…,"because":…}}. Exits with 0 \
            regardless of the answers, or with 2 at the first line that cannot be read.
            """
    )

    @Option(help: ArgumentHelp("The predicate.", valueName: "format"))
    var predicate: String?

    @Option(help: "The value of SELF.")
    var value: String?

    @Flag(help: "Include the deciding part of the predicate in each answer of the filter.")
    var trace = false

    @OptionGroup var output: OutputOptions

    @Argument(help: "Files of JSON Lines; '-' or no file: standard input.")
    var files: [String] = []

    func validate() throws {
        guard (predicate == nil) == (value == nil) else {
            throw ValidationError("--predicate and --value require each other")
        }
        guard predicate == nil || files.isEmpty else {
            throw ValidationError("--predicate cannot be combined with files")
        }
        if let file = files.first(where: {
            $0 != "-" && $0.contains(" ") && !FileManager.default.fileExists(atPath: $0)
        }) {
            throw ValidationError(
                "'\(file)' is not a file; give a predicate with --predicate, and a value with --value"
            )
        }
    }

    func perform() async throws {
        var writer = output.writer(table: Self.table)
        guard let predicate, let value else {
            try LineInput(files: files).forEach(PredicateQuery.self) {
                try writer.write(Self.answer(to: $0, includesDecidingPart: trace))
            }
            return try writer.finish()
        }
        let answer = Self.answer(to: PredicateQuery(format: predicate, value: value), includesDecidingPart: true)
        if let error = answer.error {
            throw CommandFailure.unusable("predicate, offset \(error.offset): \(error.message) (\(error.code))")
        }
        try writer.write(answer)
        try writer.finish()
        if answer.result == false { throw CommandFailure.failed() }
    }

    /// Returns the answer to a query, optionally with the part of the predicate that decided.
    static func answer(to query: PredicateQuery, includesDecidingPart: Bool) -> PredicateAnswer {
        do throws(ContentPredicateError) {
            let predicate = try ContentPredicate(format: query.format)
            let evaluation = predicate.evaluation(with: query.value)
            if let error = evaluation.error { throw error }
            return PredicateAnswer(
                result: evaluation.result,
                canonical: predicate.description,
                deciding: includesDecidingPart ? evaluation.decidingPredicate : nil
            )
        } catch {
            return PredicateAnswer(error: error)
        }
    }

    /// Returns a line about the part of the predicate that decided; empty if the answer does not have it.
    private static func reason(for answer: PredicateAnswer) -> String {
        guard let deciding = answer.deciding else { return "" }
        guard deciding.predicate != answer.canonical else { return "\n         because \(deciding.because)" }
        return "\n         because \(deciding.predicate) is \(deciding.result): \(deciding.because)"
    }

    private static func table(_ answers: [PredicateAnswer]) -> String {
        let rows = answers.map { answer in
            if let error = answer.error { return [error.code.rawValue, "offset \(error.offset): \(error.message)"] }
            return [answer.result.map(String.init) ?? "", (answer.canonical ?? "") + reason(for: answer)]
        }
        return TextTable(header: ["Result", "Predicate"], rows: rows).text
    }
}
