import AsyncHTTPClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// A trial: a fault in a cluster under load, and the checks after it.
struct ClusterTrial: Sendable {
    /// The number of senders.
    private static let senders = 6

    let cluster: Cluster
    let fault: ClusterFault

    /// The name of the trial, which is the prefix of its keys.
    let name: String

    /// The greatest sequence of the delivery log before the trial.
    let start: Int

    var generator: SeededGenerator

    /// Runs the trial; returns its counts, and the greatest sequence of the delivery log.
    mutating func run() async throws -> (ClusterSummary, last: Int) {
        let repeatedBefore = repeated
        let (load, end) = try await sendDuringFault()
        let checks = ClusterChecks(load.batches, devices: cluster.devices, cluster.access, start: start)
        let drain = try await checks.drain(using: &generator)
        let log = drain.log
        var summary = ClusterSummary()
        summary.trials = 1
        summary.batches = checks.batches.count
        summary.items = checks.items.count
        summary.received = checks.items.count { cluster.devices[$0.item.device].has($0.id) }
        let lost = checks.lost(log)
        summary.lost = lost.count
        summary.omitted = summary.items - summary.received - summary.lost
        summary.repeated = repeated - repeatedBefore
        summary.replayed = load.replayed
        summary.findings = lost + (try await checks.findings(log))
        if let problem = drain.problem {
            summary.findings.append(problem)
        } else {
            summary.longestDrain = drain.time - end
        }
        summary.findings = summary.findings.map { "\(fault): \($0)" }
        return (summary, log.last)
    }

    private var repeated: Int {
        cluster.devices.reduce(0) { $0 + $1.inbox.repeated }
    }

    /// Injects the fault while senders send, and until each of them could send more after it.
    ///
    /// - Returns: the load, all of whose batches were answered, and the time at which the fault ended.
    private mutating func sendDuringFault() async throws -> (ClusterLoad, end: ContinuousClock.Instant) {
        let load = ClusterLoad()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            let tokens = cluster.devices.map(\.token)
            for number in 0..<Self.senders {
                let name = "\(name)-\(number)"
                var sender = ClusterSender(name, to: tokens, cluster.access, load, seed: generator.next())
                group.addTask { await sender.run() }
            }
            let count = Int.random(in: 10...80, using: &generator)
            try await waitUntil("\(count) batches are answered", within: .clusterWait) {
                load.answeredCount >= count
            }
            await cluster.access.http.turn(.random(in: 0...2_000, using: &generator))
            try await cluster.inject(fault, using: &generator)
            let end = ContinuousClock.now
            let answered = load.answeredCount
            try await waitUntil("batches are answered after the fault", within: .clusterWait) {
                load.answeredCount >= answered + 4 * Self.senders
            }
            load.end()
            try await waitUntil("every batch is answered", within: .clusterWait) {
                load.finishedSenders == Self.senders
            }
            return (load, end)
        }
    }
}
