internal import Foundation
internal import ProviderTrials
internal import Synchronization
internal import TextReports
internal import WaypostSchema

/// The output of trials: each result when its trial ends, and the summary.
final class TrialOutput: Sendable {
    private struct State {
        var error: (any Error)?
        var results: [String: ProviderTrialResult] = [:]
        var shownFailures: [ProviderFailure] = []
    }

    private let format: OutputFormat
    private let isQuiet: Bool
    private let width: Int

    /// The names of the trials, in order.
    private let names: [String]

    private let state = Mutex(State())

    init(_ options: OutputOptions, trials: [ProviderTrial]) {
        format = options.resolvedFormat
        isQuiet = options.quiet
        width = trials.map(\.name.count).max() ?? 0
        names = trials.map(\.name)
    }

    /// The results of the trials that have ended, in the order of the trials.
    var results: [ProviderTrialResult] {
        let results = state.withLock(\.results)
        return names.compactMap { results[$0] }
    }

    /// Writes the outcome of a trial.
    func write(_ outcome: TrialRunner.Outcome) {
        state.withLock { state in
            state.results[outcome.result.trial] = outcome.result
            do {
                try write(outcome.result)
            } catch {
                state.error = state.error ?? error
            }
            guard let failure = outcome.failure, !state.shownFailures.contains(failure) else { return }
            state.shownFailures.append(failure)
            let lines = failure.lastLines.map { "    \($0)" }
            let title = "\(outcome.result.trial): \(failure.sentence ?? "no request arrived")"
            StandardError.write(
                ([lines.isEmpty ? title : "\(title); the provider's output ends with:"] + lines)
                    .joined(separator: "\n")
            )
        }
    }

    private func write(_ result: ProviderTrialResult) throws {
        guard !isQuiet else { return }
        switch format {
        case .table: try print(TrialReport.text(result, width: width))
        case .jsonl: try StandardOutput.write(JSONOutput.line(result) + "\n")
        case .json: break
        }
    }

    /// Writes the end, also that of a run that was interrupted.
    ///
    /// - Throws: the error of an earlier result that could not be written.
    func finish() throws {
        if let error = state.withLock(\.error) { throw error }
        guard !isQuiet else { return }
        switch format {
        case .table: try print(TrialReport.summary(results, of: names.count))
        case .json: try StandardOutput.write(JSONOutput.document(results) + "\n")
        case .jsonl: break
        }
    }

    private func print(_ text: String) throws {
        try StandardOutput.write(text.text(in: .standardOutput) + "\n")
    }
}
