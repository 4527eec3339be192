import ClusterTestSupport
import Foundation
import WaypostTestSupport

/// Three gateways on one PostgreSQL database, with faults of both under load.
struct ClusterCampaign: Campaign {
    static let name = "cluster"

    static let summary = """
        Three gateways on one PostgreSQL database are killed, stopped, restarted and cut off during commits, and the \
        database is killed or replaced by its replica, under load: what was answered ends once, in order, at its device.
        """

    static func run(_ trial: CampaignTrial) async throws -> TrialOutcome {
        guard PostgresPrograms.areInstalled else {
            var outcome = TrialOutcome(counts: ["trials skipped because PostgreSQL is not installed": 1])
            outcome.isImpossible = true
            return outcome
        }
        let plan = ClusterPlan(seed: trial.seed)
        trial.history.note("trial", "\(plan)")
        let environment = ClusterEnvironment(program: "\(trial.programs)/waypost-gateway", logs: trial.folder) {
            trial.history.note($0, $1)
        }
        let summary = try await ClusterRound(plan.faults).run(environment, devices: plan.devices, seed: plan.seed)
        for finding in summary.findings { trial.history.note("checker", finding) }
        if !summary.report.isEmpty {
            try Data(summary.report.utf8).write(to: URL(filePath: trial.path(of: "report.txt")))
        }
        return TrialOutcome(summary)
    }
}

extension TrialOutcome {
    /// Creates the outcome of the faults of a cluster.
    init(_ summary: ClusterSummary) {
        operations = summary.operations
        faults = summary.trials
        violations = summary.findings
        counts = [
            "answers 429, 500 or 503": summary.failures.values.reduce(0, +),
            "deadlocks": summary.deadlocks,
            "idle transactions": summary.idleTransactions,
            "items": summary.items,
            "lost items": summary.lost,
            "repeated answers": summary.replayed,
            "repeated deliveries": summary.repeated,
            "requests without an answer": summary.unanswered,
        ]
        recordPeak(Int(summary.longestDrain.components.seconds), "s at most from a fault to the end of all items")
    }
}
