import Foundation
import Synchronization
import Testing
import WaypostTestSupport

extension DurabilityTests {
    /// Faults in a cluster of three gateways on one database, under load.
    @Suite struct ClusterTests {
        /// The environment can set the number of trials of each fault, the number of devices, the seed, and a part of
        /// the names of the faults to inject.
        static let trials = number("WAYPOST_CLUSTER_TRIALS") ?? 1
        static let devices = number("WAYPOST_CLUSTER_DEVICES") ?? 500
        static let seed = UInt64(number("WAYPOST_CLUSTER_SEED") ?? 7)
        static let faults = ClusterFault.all.filter { fault in
            environment("WAYPOST_CLUSTER_FAULT").map(fault.testDescription.contains) ?? true
        }

        /// Trials of one fault in the same cluster.
        struct Round: Sendable, CustomTestStringConvertible {
            let fault: ClusterFault
            let number: Int
            let trials: Int

            var testDescription: String {
                "\(fault.testDescription), round \(number)"
            }
        }

        /// The rounds of each fault; a round is short enough for the time limit of the suite.
        static let rounds = faults.flatMap { fault in
            let size = fault.needsNewCluster ? 1 : 8
            return stride(from: 0, to: trials, by: size).enumerated().map { number, first in
                Round(fault: fault, number: number, trials: min(size, trials - first))
            }
        }

        private static let summaries = Mutex<[ClusterFault: ClusterSummary]>([:])

        @Test(arguments: rounds) func clusterLosesNothingThatItAnswered(_ round: Round) async throws {
            let seed = Self.seed &+ UInt64(1_000 * round.number)
            var generator = SeededGenerator(seed: seed)
            let needsReplica = round.fault == .promoteReplica
            try await Cluster.run(withReplica: needsReplica, devices: Self.devices, seed: generator.next()) { cluster in
                var summary = ClusterSummary()
                do {
                    try await Self.run(round, cluster, using: &generator, &summary)
                } catch {
                    Issue.record("seed \(seed), trial \(summary.trials): \(error)\n\(await cluster.report())")
                }
                summary.add(ClusterSummary(sharedBy: cluster))
                if !summary.findings.isEmpty {
                    let findings = summary.findings.prefix(10).joined(separator: "\n")
                    Issue.record("\(summary.findings.count) findings:\n\(findings)\n\(await cluster.report())")
                }
                #expect(summary.lost == 0)
                Self.report(summary, round)
            }
        }

        private static func run(
            _ round: Round,
            _ cluster: Cluster,
            using generator: inout SeededGenerator,
            _ summary: inout ClusterSummary
        ) async throws {
            var start = 0
            for number in 0..<round.trials {
                var trial = ClusterTrial(
                    cluster: cluster,
                    fault: round.fault,
                    name: "t\(number)",
                    start: start,
                    generator: SeededGenerator(seed: generator.next())
                )
                let (counts, last) = try await trial.run()
                summary.add(counts)
                start = last
            }
        }

        /// Prints the summary of a fault after its last round.
        private static func report(_ summary: ClusterSummary, _ round: Round) {
            let all = summaries.withLock { summaries in
                summaries[round.fault, default: ClusterSummary()].add(summary)
                return summaries[round.fault, default: ClusterSummary()]
            }
            if all.trials >= trials { print(all.line(of: round.fault, devices: devices)) }
        }

        private static func number(_ name: String) -> Int? {
            environment(name).flatMap(Int.init)
        }

        private static func environment(_ name: String) -> String? {
            ProcessInfo.processInfo.environment[name]
        }
    }
}

extension ClusterSummary {
    /// Creates the counts and violations that are not those of single trials.
    fileprivate init(sharedBy cluster: Cluster) {
        failures = cluster.access.answers.failures
        unanswered = cluster.access.answers.unanswered
        idleTransactions = cluster.database.primary.logLines(with: "due to idle-in-transaction timeout")
        deadlocks = cluster.database.primary.logLines(with: "deadlock detected")
        lockWaits = cluster.database.primary.logLines(with: " still waiting for ")
        findings = cluster.access.answers.findings
        for (number, device) in cluster.devices.enumerated() {
            findings += device.inbox.findings.map { "device \(number): \($0)" }
        }
    }
}
