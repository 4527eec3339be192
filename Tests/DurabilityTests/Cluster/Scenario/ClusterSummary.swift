import Foundation

/// The counts of trials, and the violations that they found.
struct ClusterSummary: Sendable {
    var trials = 0

    /// The batches and items that were answered with 200.
    var (batches, items) = (0, 0)

    /// The answered items that their devices received.
    var received = 0

    /// The answered items that were replaced, that expired, or that were dropped because they were transient, before
    /// their devices received them.
    var omitted = 0

    /// The deliveries of items that had been delivered before.
    var repeated = 0

    /// The answered items that their devices should have received and did not.
    var lost = 0

    /// The answers with each status of failure, and the requests without an answer.
    var (failures, unanswered) = ([Int: Int](), 0)

    /// The answers that were those of an earlier request with the same key.
    var replayed = 0

    /// The transactions that the server ended because their gateway was silent for too long.
    var idleTransactions = 0

    /// The transactions that the server ended because they waited for each other, and the waits for locks of more than
    /// a second.
    var (deadlocks, lockWaits) = (0, 0)

    /// The longest time from the end of a fault until every answered item had ended.
    var longestDrain = Duration.zero

    /// The violations.
    var findings: [String] = []

    /// Adds the counts of other trials.
    mutating func add(_ other: Self) {
        trials += other.trials
        batches += other.batches
        items += other.items
        received += other.received
        omitted += other.omitted
        repeated += other.repeated
        lost += other.lost
        failures.merge(other.failures, uniquingKeysWith: +)
        unanswered += other.unanswered
        replayed += other.replayed
        idleTransactions += other.idleTransactions
        deadlocks += other.deadlocks
        lockWaits += other.lockWaits
        longestDrain = max(longestDrain, other.longestDrain)
        findings += other.findings
    }

    /// Returns a one-line summary.
    func line(of faults: String, devices: Int) -> String {
        let drain = longestDrain.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1)))
        let statuses = [503, 500].map { "\(failures[$0] ?? 0) answers \($0)" }.joined(separator: ", ")
        return """
            cluster test, \(faults): \(trials) trials with \(devices) devices, \(batches) batches, \
            \(items) items answered, \(received) received, \(omitted) collapsed, dropped or expired, \
            \(repeated) repeated, \(lost) lost, \(statuses), \(unanswered) requests without an answer, \
            \(replayed) answers replayed, \
            \(idleTransactions) idle transactions ended, \(deadlocks) deadlocks, \
            \(lockWaits) long waits for locks, longest time to drain \(drain)
            """
    }
}
