internal import WaypostSchema

/// The calls of the push receivers of an app.
struct ReceiverCalls: Sendable, Codable {
    /// The pushes that count against the budget of each receiver.
    private var counted: [PushReceiver: CountedPushes] = [:]

    /// The number of calls of each receiver, by its name, since the app was installed.
    private(set) var totals: [String: Int] = [:]

    /// Returns the pushes that count against the budget of a receiver.
    func counted(for receiver: PushReceiver) -> CountedPushes {
        counted[receiver] ?? CountedPushes()
    }

    /// Records a call of a receiver.
    mutating func record(_ receiver: PushReceiver, within budget: BudgetRule?, at now: Timestamp) {
        totals[receiver.rawValue, default: 0] += 1
        if let budget { counted[receiver, default: CountedPushes()].record(within: budget, at: now) }
    }
}
