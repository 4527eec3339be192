/// The numbers of a campaign.
struct CampaignReport: Sendable {
    let name: String

    /// The number of trials, and the sum of their results.
    private(set) var trials = 0
    private(set) var outcome = TrialOutcome()

    init(name: String) {
        self.name = name
    }

    /// Adds the result of a trial.
    mutating func add(_ outcome: TrialOutcome) {
        trials += 1
        self.outcome.add(outcome)
    }

    /// The numbers in one line.
    var line: String {
        let others = Array(outcome.counts) + Array(outcome.peaks)
        let more = others.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let numbers = ["\(trials) trials", "\(outcome.faults) faults", "\(outcome.operations) operations"] + more
        return "\(name): \(numbers.joined(separator: ", ")), \(outcome.violations.count) violations"
    }

    /// Returns a line with the sums of all campaigns.
    static func total(_ reports: [CampaignReport]) -> String {
        var sum = CampaignReport(name: "all")
        for report in reports {
            sum.trials += report.trials
            sum.outcome.operations += report.outcome.operations
            sum.outcome.faults += report.outcome.faults
            sum.outcome.violations += report.outcome.violations
        }
        return sum.line
    }
}
