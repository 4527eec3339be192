/// A short comparison of processor times, which finds changes that make the gateway slower.
///
/// Servers and clients share one processor. On several, a server that runs at the same time as its client wakes up for
/// fewer requests at once, and other programs of the machine change that. nginx needs 5.8 µs for a request on an idle
/// machine, and 3.5 µs on a busy one.
struct SpeedGuard {
    /// The factor for numbers of items and durations, so that rounds are short.
    static let scale = 0.4

    /// The seconds after which no round begins, unless there are fewer rounds than the minimum.
    private static let duration = 75.0
    private static let minimumRounds = 5

    let workspace: Workspace
    let options: Options

    /// Measures all works in turn, prints the table, and returns the lines; twice as long if one seems to be worse.
    ///
    /// - Throws: an error if a work cannot be measured, even if only its peer is missing, so that it hides no change.
    func run(against stored: StoredRatios?) throws -> [Line] {
        let works = works()
        guard !works.isEmpty else { throw Failure("no work has a name that contains '\(options.only)'") }
        try Affinity.useOneProcessor(workspace)
        let start = Clock.now
        let sync = Machine.syncTime(in: workspace.folder)
        var samples = works.map { $0.subjects.map { _ in [Sample]() } }
        var rounds = 0
        func runRound() throws {
            for (index, work) in works.enumerated() {
                for (subject, new) in try runOnce(work).enumerated() { samples[index][subject] += new }
            }
            rounds += 1
        }
        var lines: [Line] { zip(works, samples).flatMap { Line.all($0, $1, sync: sync, load: Machine.load) } }
        while needsRound(after: rounds, seconds: Clock.seconds(since: start)) { try runRound() }
        // Other programs disturb the gateway for a while; a change makes it slower in all rounds.
        if stored?.regressions(in: lines).isEmpty == false {
            for _ in 0..<rounds { try runRound() }
        }
        Report.say(GuardReport.table(lines, stored, rounds: rounds, seconds: Clock.seconds(since: start)))
        return lines
    }

    private func works() -> [Comparison] {
        [
            Delivery(workspace: workspace, options: options).endToEnd(devices: 100, items: 150_000),
            Batches(workspace: workspace, options: options).onDisk(),
            Provider(workspace: workspace, options: options).plaintext(),
        ].map { $0.ofProcessorTime() }.filter { options.measures($0) }
    }

    private func runOnce(_ work: Comparison) throws -> [[Sample]] {
        do {
            return try work.run(rounds: 1)
        } catch {
            throw Failure("\(work.name): \(error)")
        }
    }

    private func needsRound(after rounds: Int, seconds: Double) -> Bool {
        if let count = options.rounds { return rounds < count }
        return rounds < Self.minimumRounds || seconds < Self.duration
    }
}
