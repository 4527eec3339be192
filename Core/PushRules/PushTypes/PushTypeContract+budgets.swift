extension PushTypeContract {
    /// The number of updates with priority 10 of an app's Live Activities.
    static let liveActivityUpdates = Budget(15, perSeconds: 3_600)
    static let liveActivityUpdatesReport = Evidence.observed(1, "the page of a vendor of push services")

    /// Returns the budget for the updates of an app's Live Activities with priority 10.
    ///
    /// Apple gives no number.
    ///
    /// - Parameter hasFrequentUpdates: whether the app has `NSSupportsLiveActivitiesFrequentUpdates`.
    /// - Returns: the budget; for frequent updates, the largest number that a dump of a device's state had left.
    package static func liveActivityBudget(hasFrequentUpdates: Bool) -> Rule<Budget> {
        hasFrequentUpdates
            ? Rule(Budget(236, perSeconds: 3_600), .observed(1, "kylebshr/luka-ios 146"))
            : Rule(liveActivityUpdates, liveActivityUpdatesReport)
    }

    /// The budget for the starts of an app's Live Activities by pushes; frequent updates do not raise it.
    ///
    /// The number is for "a short time" of unknown length; that it is an hour is a rule of Waypost.
    package static let liveActivityStartBudget = Rule(Budget(10, perSeconds: 3_600), .stated(thread: 799_505))

    /// The budget for service updates of push to talk with priority 10; those with a lower priority have none.
    package static let serviceUpdateBudget = Rule(Budget(6, perSeconds: 3_600), serviceUpdates)

    /// The source of the rules for service updates of push to talk, which give no right to talk.
    package static let serviceUpdates = Evidence.documented(
        "PTChannelManagerDelegate, the method for service updates and its header"
    )
}
