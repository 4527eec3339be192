import Foundation

/// Measures Waypost beside the programs that people would use instead, and prints a line for each figure.
///
/// All processes listen on 127.0.0.1 only, and end with the benchmark.
@main
enum PeerBenchmarks {
    static func main() throws {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            exit(try run(options) ? 0 : 1)
        } catch let failure as Failure {
            FileHandle.standardError.write(Data("\(failure)\n".utf8))
            exit(64)
        }
    }

    /// Returns whether everything was measured, and nothing is worse than what is stored.
    private static func run(_ options: Options) throws -> Bool {
        let stored = try options.check.map { try StoredRatios(existing: $0) }
        let workspace = try Workspace()
        defer { workspace.remove() }
        guard options.isGuard else {
            let (lines, isComplete) = measureAll(options, workspace, against: stored)
            return try finish(lines, options, stored) && isComplete
        }
        do {
            return try finish(SpeedGuard(workspace: workspace, options: options).run(against: stored), options, stored)
        } catch {
            Report.say("\(error)")
            return false
        }
    }

    /// Measures all comparisons and prints their lines; the result says whether none failed.
    private static func measureAll(
        _ options: Options,
        _ workspace: Workspace,
        against stored: StoredRatios?
    ) -> (lines: [Line], isComplete: Bool) {
        let comparisons =
            Provider(workspace: workspace, options: options).all()
            + Batches(workspace: workspace, options: options).all()
            + Delivery(workspace: workspace, options: options).all() + Computing(workspace: workspace).all()
            + Starting(workspace: workspace, options: options).all()
            + Cluster(workspace: workspace, options: options).all()
        var lines: [Line] = []
        var hasFailed = false
        Report.say(Report.header)
        for comparison in comparisons where options.measures(comparison) {
            do {
                let new = try measure(comparison, options, workspace, against: stored)
                for line in new { Report.say(Report.row(line)) }
                lines += new
            } catch let missing as NotInstalled {
                Report.say("  \(comparison.name): \(missing)")
            } catch {
                hasFailed = true
                Report.say("  \(comparison.name): \(error)")
            }
        }
        Report.say(Report.footnotes)
        return (lines, !hasFailed)
    }

    /// Returns the lines of a comparison; if one is worse than what is stored, after twice as many further rounds.
    ///
    /// Other programs of the machine disturb a round more often than a change of Waypost makes all of them worse.
    private static func measure(
        _ comparison: Comparison,
        _ options: Options,
        _ workspace: Workspace,
        against stored: StoredRatios?
    ) throws -> [Line] {
        let sync = Machine.syncTime(in: workspace.folder)
        let rounds = options.rounds ?? 3
        var samples = try comparison.run(rounds: rounds)
        var lines: [Line] { Line.all(comparison, samples, sync: sync, load: Machine.load) }
        guard let stored, !stored.regressions(in: lines).isEmpty else { return lines }
        for (subject, new) in try comparison.run(rounds: 2 * rounds).enumerated() { samples[subject] += new }
        return lines
    }

    /// Writes the results, and returns whether nothing is worse than what is stored.
    private static func finish(_ lines: [Line], _ options: Options, _ stored: StoredRatios?) throws -> Bool {
        if let json = options.json { try JSONFiles.write(lines, to: URL(filePath: json)) }
        let regressions = stored?.regressions(in: lines) ?? []
        for regression in regressions { Report.say("worse than stored: \(regression)") }
        if let missing = stored?.missingRatios(of: lines) { Report.say("\n\(missing)") }
        if let store = options.store {
            var stored = try StoredRatios(store)
            try stored.store(lines)
        }
        return regressions.isEmpty
    }
}
