import Foundation
import Synchronization
import Testing
import WaypostTestSupport

extension DurabilityTests {
    /// Faults in a cluster of three gateways on one database, under load.
    ///
    /// The time limit is that of seven trials: a fault can last 12 seconds, and a slow machine needs as long to drain.
    @Suite(.timeLimit(.minutes(10))) struct ClusterTests {
        static let trials = Trials.factor

        /// The environment can set the number of devices, and a part of the names of the faults to inject.
        static let devices = environment("WAYPOST_CLUSTER_DEVICES").flatMap(Int.init) ?? (trials == 1 ? 120 : 500)
        static let faults = ClusterFault.all.filter { fault in
            environment("WAYPOST_CLUSTER_FAULT").map(fault.testDescription.contains) ?? true
        }

        /// Trials in the same cluster.
        struct Round: Sendable, CustomStringConvertible {
            /// The maximum number of trials, so that a round is short enough for the time limit of the suite.
            private static let size = 7

            let faults: [ClusterFault]

            /// Returns rounds with the faults in their order.
            static func all(of faults: [ClusterFault]) -> [Self] {
                stride(from: 0, to: faults.count, by: size).map { first in
                    Self(faults: Array(faults[first..<min(first + size, faults.count)]))
                }
            }

            /// The names of the faults, each once.
            var description: String {
                let names = faults.map(\.testDescription).reduce(into: [String]()) { names, name in
                    if !names.contains(name) { names.append(name) }
                }
                return names.joined(separator: ", ")
            }
        }

        /// The rounds: several trials of a fault have clusters of their own, and single trials share them if possible.
        static let rounds: [Round] = {
            guard trials == 1 else {
                return faults.flatMap { fault in
                    let all = Array(repeating: fault, count: trials)
                    return fault.needsNewCluster ? all.map { Round(faults: [$0]) } : Round.all(of: all)
                }
            }
            return Round.all(of: faults.filter { !$0.needsNewCluster })
                + faults.filter(\.needsNewCluster).map { Round(faults: [$0]) }
        }()

        private static let summaries = Mutex<[String: ClusterSummary]>([:])

        @Test(arguments: rounds.indices) func clusterLosesNothingThatItAnswered(_ number: Int) async throws {
            let round = Self.rounds[number]
            let seed = Trials.seed(7) &+ UInt64(1_000 * number)
            var generator = SeededGenerator(seed: seed)
            let needsReplica = round.faults.contains(.promoteReplica)
            try await Cluster.run(withReplica: needsReplica, devices: Self.devices, seed: generator.next()) { cluster in
                var summary = ClusterSummary()
                do {
                    try await Self.run(round, cluster, using: &generator, &summary)
                } catch {
                    Issue.record("\(round), seed \(seed), trial \(summary.trials): \(error)\n\(await cluster.report())")
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
            for (number, fault) in round.faults.enumerated() {
                var trial = ClusterTrial(
                    cluster: cluster,
                    fault: fault,
                    name: "t\(number)",
                    start: start,
                    generator: SeededGenerator(seed: generator.next())
                )
                let (counts, last) = try await trial.run()
                summary.add(counts)
                start = last
            }
        }

        /// Prints the summary of faults after their last round.
        private static func report(_ summary: ClusterSummary, _ round: Round) {
            let all = summaries.withLock { summaries in
                summaries[round.description, default: ClusterSummary()].add(summary)
                return summaries[round.description, default: ClusterSummary()]
            }
            let expected = rounds.filter { $0.description == round.description }.map(\.faults.count).reduce(0, +)
            if all.trials >= expected { print(all.line(of: round.description, devices: devices)) }
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
