import AsyncHTTPClient
import ProcessTestSupport

/// The campaign that takes a resource away from a gateway, and checks that others are served and that all recovers.
struct ExhaustionCampaign: Campaign {
    static let name = "exhaustion"

    static let summary =
        "A gateway has \(ExhaustionLimits.openFiles) open files, little memory, a full disk, up to 10,000 slow readers "
        + "or unfinished requests; it serves others, needs at most \(ExhaustionLimits.memory) MiB, and "
        + "\(ExhaustionLimits.memoryOfSlowReader) KiB for each slow reader, and recovers."

    static func run(_ trial: CampaignTrial) async throws -> TrialOutcome {
        let plan = ExhaustionPlan(seed: trial.seed)
        trial.history.note("campaign", "\(plan)")
        guard !plan.needsManyConnections || UnreadConnections.canOpen(plan.connectionCount) else {
            return skipped("the machine permits too few open files")
        }
        guard plan.resource != .disk || SmallDisk.works else {
            return skipped("no file system can be mounted")
        }
        return try await GatewayCalls.withClient { http in
            switch plan.resource {
            case .openFiles: return try await ExhaustionRun.withFewOpenFiles(trial, plan, http: http)
            case .memory: return try await ExhaustionRun.withLittleMemory(trial, plan, http: http)
            case .disk: return try await ExhaustionRun.onFullDisk(trial, plan, http: http)
            case .slowReaders: return try await ExhaustionRun.withSlowReaders(trial, plan, http: http)
            case .unfinishedRequests: return try await ExhaustionRun.withUnfinishedRequests(trial, plan, http: http)
            }
        }
    }

    private static func skipped(_ reason: String) -> TrialOutcome {
        var outcome = TrialOutcome()
        outcome.counts["trials skipped because \(reason)"] = 1
        return outcome
    }
}
