import ProviderTrials

/// The table of docs/providers.md, made from `ProviderTrial.all`.
enum TrialTable {
    /// The line of the page before the table.
    static let start = "<!-- trials -->"

    /// The line of the page after the table.
    static let end = "<!-- end of trials -->"

    /// The number of trials, and the table.
    static var text: String {
        let trials = ProviderTrial.all
        return """
            There are \(trials.count) trials. \(trials.count(where: \.isQuick)) of them are in the quick set.

            \(table(of: trials))
            """
    }

    /// Returns a page with the table between its two lines; `nil` if it does not have each of them once.
    static func updating(_ page: String) -> String? {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.firstIndex(of: start), let last = lines.firstIndex(of: end), first < last,
            lines.count(where: { $0 == start || $0 == end }) == 2
        else { return nil }
        return (Array(lines[...first]) + ["", text, ""] + Array(lines[last...])).joined(separator: "\n")
    }

    /// Returns a row for each trial, below a header.
    static func table(of trials: [ProviderTrial]) -> String {
        let header = ["trial", "set", "needs", "rule", "source"]
        let rows = trials.map { trial in
            ["`\(trial.name)`", trial.isQuick ? "quick" : "whole", needs(of: trial), trial.rule, trial.source]
        }
        return ([header, header.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
            .joined(separator: "\n")
    }

    /// Returns the things that not every provider under test can offer.
    private static func needs(of trial: ProviderTrial) -> String {
        let clock = trial.movesClock ? ["`faketime`"] : []
        let processes = trial.processes > 1 ? ["\(trial.processes) processes"] : []
        return (clock + processes).joined(separator: ", ")
    }
}
