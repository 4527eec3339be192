import ArgumentParser
import Foundation

/// Repeats campaigns against released programs, and prints trials, operations and violations.
@main struct CampaignProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaigns",
        abstract: "Repeat seeded attacks on the programs, and check every promise after each.",
        discussion: "Campaigns: " + all.map { "\($0.name): \($0.summary)" }.joined(separator: " ")
    )

    /// All campaigns, in the order in which they run.
    static let all: [any Campaign.Type] = [
        CrashCampaign.self, DiskCampaign.self, RacesCampaign.self, TimeCampaign.self, ExhaustionCampaign.self,
        ClusterCampaign.self,
    ]

    @Option(help: "The folder of the released programs.") var programs: String

    @Option(help: "The time of all campaigns together, in hours.") var hours = 0.2

    @Option(help: "The seed of the first trial.") var seed: UInt64 = 0

    @Option(help: "The number of trials of each campaign, instead of a time.") var trials: Int?

    @Option(help: "The folder for the histories of violations.") var results = ".build/trials"

    @Argument(help: "The campaigns; without any, all run.") var campaigns: [String] = []

    func validate() throws {
        let names = Self.all.map { campaign in campaign.name }
        if let name = campaigns.first(where: { !names.contains($0) }) {
            throw ValidationError("there is no campaign '\(name)'; there are \(names.joined(separator: ", "))")
        }
        guard hours > 0, trials ?? 1 > 0 else { throw ValidationError("--hours and --trials must be positive") }
    }

    func run() async throws {
        let chosen = Self.all.filter { campaign in campaigns.isEmpty || campaigns.contains(campaign.name) }
        var reports: [CampaignReport] = []
        for campaign in chosen {
            let report = try await repeated(campaign, within: .seconds(hours * 3600 / Double(chosen.count)))
            print(report.line)
            reports.append(report)
        }
        print(CampaignReport.total(reports))
        guard reports.allSatisfy(\.outcome.violations.isEmpty) else { throw ExitCode(1) }
    }

    /// Repeats a campaign until its time or the number of its trials is over.
    private func repeated(_ campaign: any Campaign.Type, within limit: Duration) async throws -> CampaignReport {
        let end = ContinuousClock.now + limit
        var report = CampaignReport(name: campaign.name)
        while trials.map({ report.trials < $0 }) ?? (ContinuousClock.now < end) {
            let seed = seed &+ UInt64(report.trials)
            let folder = URL(filePath: results).appending(path: "\(campaign.name)-\(seed)").path
            try? FileManager.default.removeItem(atPath: folder)
            let trial = try CampaignTrial(seed: seed, programs: programs, folder: folder)
            let outcome = try await campaign.run(trial)
            report.add(outcome)
            if outcome.violations.isEmpty {
                try? FileManager.default.removeItem(atPath: folder)
            } else {
                try keep(outcome, of: campaign.name, trial)
            }
            if outcome.isImpossible { break }
        }
        return report
    }

    /// Writes the violations and the command that repeats a trial into its folder, and prints both.
    private func keep(_ outcome: TrialOutcome, of name: String, _ trial: CampaignTrial) throws {
        let command = "make trials CAMPAIGNS=\(name) SEED=\(trial.seed) REPEAT=1"
        let text = (outcome.violations + ["To repeat it: \(command)"]).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(filePath: trial.path(of: "violations.txt")))
        print("\(name), seed \(trial.seed), in \(trial.folder):\n\(text)")
    }
}
