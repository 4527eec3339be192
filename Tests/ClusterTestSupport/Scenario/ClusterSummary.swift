import Foundation

/// The counts of trials, and the violations that they found.
package struct ClusterSummary: Sendable {
    package var trials = 0

    /// The batches and items that were answered with 200.
    package var (batches, items) = (0, 0)

    /// The answered items that their devices received.
    package var received = 0

    /// The answered items that were replaced, that expired, or that were dropped because they were transient, before
    /// their devices received them.
    package var omitted = 0

    /// The deliveries of items that had been delivered before.
    package var repeated = 0

    /// The answered items that their devices should have received and did not.
    package var lost = 0

    /// The answers with each status of failure, and the requests without an answer.
    package var (failures, unanswered) = ([Int: Int](), 0)

    /// The answers that were those of an earlier request with the same key.
    package var replayed = 0

    /// The transactions that the server ended because their gateway was silent for too long.
    package var idleTransactions = 0

    /// The transactions that the server ended because they waited for each other, and the waits for locks of more than
    /// a second.
    package var (deadlocks, lockWaits) = (0, 0)

    /// The longest time from the end of a fault until every answered item had ended.
    package var longestDrain = Duration.zero

    /// The violations.
    package var findings: [String] = []

    /// The ends of the logs, and what is left in the database; empty if there are no violations.
    package var report = ""

    /// Creates the summary of no trials.
    package init() {}

    /// The answered batches and items, and all deliveries.
    package var operations: Int {
        batches + items + received + repeated
    }

    /// Adds the counts of other trials.
    package mutating func add(_ other: Self) {
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
        report += other.report
    }

    /// Returns a one-line summary.
    package func line(of faults: String, devices: Int) -> String {
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
