/// The budgets of an app for pushes; an absent one has the number that is documented or was observed.
public struct PushBudgets: Codable, Sendable, Equatable {
    /// The launches in the background by notifications with `content-available`; three an hour if absent.
    public var background: PushBudget?

    /// The updates of Live Activities with priority 10; if absent, as `supportsFrequentLiveActivityUpdates` says.
    public var liveActivity: PushBudget?

    /// Creates the value from its parts.
    public init(background: PushBudget? = nil, liveActivity: PushBudget? = nil) {
        self.background = background
        self.liveActivity = liveActivity
    }
}
