import ClusterTestSupport
import Foundation
import ProcessTestSupport
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
            environment("WAYPOST_CLUSTER_FAULT").map(fault.description.contains) ?? true
        }

        /// The maximum number of faults in a cluster, so that a round is short enough for the time limit of the suite.
        private static let roundSize = 7

        /// Returns rounds with the faults in their order.
        private static func grouped(_ faults: [ClusterFault]) -> [ClusterRound] {
            stride(from: 0, to: faults.count, by: roundSize).map { first in
                ClusterRound(Array(faults[first..<min(first + roundSize, faults.count)]))
            }
        }

        /// The rounds: several trials of a fault have clusters of their own, and single trials share them if possible.
        static let rounds: [ClusterRound] = {
            guard trials == 1 else {
                return faults.flatMap { fault in
                    let all = Array(repeating: fault, count: trials)
                    return fault.needsNewCluster ? all.map { ClusterRound([$0]) } : grouped(all)
                }
            }
            return grouped(faults.filter { !$0.needsNewCluster })
                + faults.filter(\.needsNewCluster).map { ClusterRound([$0]) }
        }()

        private static let summaries = Mutex<[String: ClusterSummary]>([:])

        @Test(arguments: rounds.indices) func clusterLosesNothingThatItAnswered(_ number: Int) async throws {
            let round = Self.rounds[number]
            let seed = Trials.seed(7) &+ UInt64(1_000 * number)
            let environment = ClusterEnvironment(
                program: GatewayProcess.program,
                logs: Self.environment("WAYPOST_CLUSTER_LOGS")
            )
            let summary = try await round.run(environment, devices: Self.devices, seed: seed)
            if !summary.findings.isEmpty {
                let findings = summary.findings.prefix(10).joined(separator: "\n")
                let count = summary.findings.count
                Issue.record("\(round), seed \(seed): \(count) findings:\n\(findings)\n\(summary.report)")
            }
            #expect(summary.lost == 0)
            Self.report(summary, round)
        }

        /// Prints the summary of faults after their last round.
        private static func report(_ summary: ClusterSummary, _ round: ClusterRound) {
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
