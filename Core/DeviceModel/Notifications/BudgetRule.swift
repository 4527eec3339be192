internal import PushRules
internal import WaypostSchema

/// The number of pushes of one kind that an app may have in a period, and its source.
struct BudgetRule {
    /// The number.
    let count: Int

    /// The period in hours.
    private let hours: Int

    /// The pushes that count, in the plural.
    private let subject: String

    /// The source of the number.
    private let source: String

    /// Creates the budget that an app's description has under a name.
    init(_ budget: PushBudget, named name: String, for subject: String) {
        (count, hours, self.subject) = (budget.count, budget.hours, subject)
        source = "budgets.\(name) of the app"
    }

    /// Creates the budget that is documented or was observed.
    ///
    /// - Parameters:
    ///   - budget: the number and the period.
    ///   - evidence: their source.
    ///   - condition: the reason for this budget and not another, or `nil` if there is only one.
    ///   - subject: the pushes that count, in the plural.
    init(
        _ budget: PushTypeContract.Budget,
        _ evidence: [Evidence],
        because condition: String? = nil,
        for subject: String
    ) {
        (count, hours, self.subject) = (budget.count, budget.seconds / 3_600, subject)
        source = ([condition].compactMap(\.self) + evidence.map { "\($0)" }).joined(separator: "; ")
    }

    /// The period in milliseconds.
    var period: Int {
        hours * 3_600_000
    }

    /// Returns whether another push is within the budget.
    ///
    /// - Parameters:
    ///   - pushes: the pushes that count.
    ///   - app: the app.
    ///   - consequence: the consequence if it is not, as the end of a sentence.
    ///   - now: the time of the device.
    /// - Returns: the verdict; if it fails, with the source of the number.
    func gate(
        after pushes: CountedPushes,
        of app: BundleIdentifier,
        otherwise consequence: String,
        at now: Timestamp
    ) -> NotificationVerdict {
        let usedCount = pushes.count(within: self, at: now)
        let passes = usedCount < count
        let use = "\(app) had \(usedCount) of \(count) \(subject) in the last \(hours == 1 ? "hour" : "\(hours) hours")"
        let explanation = passes ? use : "\(use), so this one \(consequence) (\(source))"
        return NotificationVerdict(.budget, passes: passes, explanation: explanation)
    }
}

/// The times of the pushes of an app that count against a budget.
struct CountedPushes: Sendable, Codable {
    private var times: [Timestamp] = []

    /// Returns the number of pushes in the period of a budget before a time.
    func count(within budget: BudgetRule, at now: Timestamp) -> Int {
        times.count { $0.rawValue > now.rawValue - budget.period }
    }

    /// Records a push, and forgets those that no longer count.
    mutating func record(within budget: BudgetRule, at now: Timestamp) {
        times.removeAll { $0.rawValue <= now.rawValue - budget.period }
        times.append(now)
    }

    /// Returns the time at which a spent budget allows a push again; `nil` if it never allows one.
    func nextTime(within budget: BudgetRule) -> Timestamp? {
        times.suffix(budget.count).first?.advanced(by: budget.period)
    }
}
