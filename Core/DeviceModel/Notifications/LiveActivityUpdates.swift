internal import PushRules
internal import WaypostSchema

/// The updates of an app's Live Activities that count against its budget.
///
/// An update with priority 10 counts, and one with 5 does not. A device throttles updates above the budget ("Starting
/// and updating Live Activities with ActivityKit push notifications"); that they are dropped is a rule of Waypost.
struct LiveActivityUpdates: Sendable, Codable {
    /// The budget, and its source.
    struct Budget {
        private let app: BundleIdentifier
        private let hasFrequentUpdates: Bool
        private let rule: Rule<PushTypeContract.Budget>

        /// Creates the budget of an app that declares whether it has frequent updates.
        init(of app: BundleIdentifier, hasFrequentUpdates: Bool) {
            self.app = app
            self.hasFrequentUpdates = hasFrequentUpdates
            rule = PushTypeContract.liveActivityBudget(hasFrequentUpdates: hasFrequentUpdates)
        }

        /// The time in which the updates count, in milliseconds.
        fileprivate var period: Int {
            rule.value.seconds * 1_000
        }

        /// Returns whether an update is within the budget after a number of others.
        fileprivate func gate(after count: Int) -> NotificationVerdict {
            let maximum = "\(rule.value.count) updates with priority 10 in \(rule.value.seconds / 60) minutes"
            guard count >= rule.value.count else {
                return NotificationVerdict(.budget, passes: true, explanation: "\(app) had \(count) of \(maximum)")
            }
            let setting = "supportsFrequentLiveActivityUpdates is \(hasFrequentUpdates)"
            let source = rule.evidence.map { "\($0)" }.joined(separator: "; ")
            return NotificationVerdict(
                .budget,
                passes: false,
                explanation: "\(app) has used its budget of \(maximum), so this one is dropped: \(setting) (\(source))"
            )
        }
    }

    /// The times of the updates.
    private var times: [Timestamp] = []

    /// Returns whether another update is within the budget.
    func gate(for budget: Budget, at now: Timestamp) -> NotificationVerdict {
        budget.gate(after: times.count { $0.rawValue > now.rawValue - budget.period })
    }

    /// Records an update, and forgets those that no longer count.
    mutating func recordUpdate(within budget: Budget, at now: Timestamp) {
        times.removeAll { $0.rawValue <= now.rawValue - budget.period }
        times.append(now)
    }
}
