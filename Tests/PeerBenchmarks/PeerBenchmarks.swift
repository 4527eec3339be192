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
        let stored = try options.check.map(StoredRatios.init)
        guard stored?.ratios.isEmpty != true else {
            throw Failure("\(options.check ?? "") has no ratios to compare with; store some first")
        }
        let workspace = try Workspace()
        defer { workspace.remove() }
        let comparisons =
            Provider(workspace: workspace, options: options).all()
            + Batches(workspace: workspace, options: options).all()
            + Delivery(workspace: workspace, options: options).all() + Computing(workspace: workspace).all()
            + Starting(workspace: workspace, options: options).all()
            + Cluster(workspace: workspace, options: options).all()
        var lines: [Line] = []
        var hasFailed = false
        Report.say(Report.header)
        for comparison in comparisons where options.only.isEmpty || comparison.name.contains(options.only) {
            do {
                let new = try measure(comparison, options, workspace)
                for line in new { Report.say(Report.row(line)) }
                lines += new
            } catch let missing as NotInstalled {
                Report.say("  \(comparison.name): \(missing.program) is not installed")
            } catch {
                hasFailed = true
                Report.say("  \(comparison.name): \(error)")
            }
        }
        Report.say(Report.footnotes)
        return try finish(lines, options, stored) && !hasFailed
    }

    private static func measure(
        _ comparison: Comparison,
        _ options: Options,
        _ workspace: Workspace
    ) throws -> [Line] {
        let sync = Machine.syncTime(in: workspace.folder)
        let samples = try comparison.run(rounds: options.rounds)
        return Line.all(comparison, samples, sync: sync, load: Machine.load)
    }

    /// Writes the results, and returns whether nothing is worse than what is stored.
    private static func finish(_ lines: [Line], _ options: Options, _ stored: StoredRatios?) throws -> Bool {
        if let json = options.json { try JSONFiles.write(lines, to: URL(filePath: json)) }
        let regressions = stored?.regressions(in: lines) ?? []
        for regression in regressions { Report.say("worse than stored: \(regression)") }
        if let store = options.store {
            var stored = try StoredRatios(store)
            try stored.store(lines)
        }
        return regressions.isEmpty
    }
}
