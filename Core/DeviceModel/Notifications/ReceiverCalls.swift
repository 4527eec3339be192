internal import WaypostSchema

/// The calls of the push receivers of an app, and those for which it reported no call.
struct ReceiverCalls: Sendable, Codable {
    /// The pushes that count against the budget of each receiver.
    private var counted: [PushReceiver: CountedPushes] = [:]

    /// The number of calls of each receiver, by its name, since the app was installed.
    private(set) var totals: [String: Int] = [:]

    /// The number of VoIP pushes in a row for which the app reported no call.
    private(set) var missedCalls = 0

    /// The service updates of push to talk that count against the budget of the app; `nil` for none.
    private(set) var serviceUpdates: CountedPushes?

    /// Records a service update of push to talk that reached the app.
    mutating func recordServiceUpdate(within budget: BudgetRule, at now: Timestamp) {
        serviceUpdates = serviceUpdates ?? CountedPushes()
        serviceUpdates?.record(within: budget, at: now)
    }

    /// Returns the pushes that count against the budget of a receiver.
    func counted(for receiver: PushReceiver) -> CountedPushes {
        counted[receiver] ?? CountedPushes()
    }

    /// Records a call of a receiver.
    mutating func record(_ receiver: PushReceiver, within budget: BudgetRule?, at now: Timestamp) {
        totals[receiver.rawValue, default: 0] += 1
        if let budget { counted[receiver, default: CountedPushes()].record(within: budget, at: now) }
    }

    /// Records whether the app reported a call for a VoIP push.
    mutating func recordReport(isMissing: Bool) {
        missedCalls = isMissing ? missedCalls + 1 : 0
    }
}
