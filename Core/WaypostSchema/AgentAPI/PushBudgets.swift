/// The budgets of an app for pushes; an absent one has the number that is documented or was observed.
public struct PushBudgets: Codable, Sendable, Equatable {
    /// The launches in the background by notifications with `content-available`; three an hour if absent.
    public var background: PushBudget?

    /// The updates of Live Activities with priority 10; if absent, as `supportsFrequentLiveActivityUpdates` says.
    public var liveActivity: PushBudget?

    /// The starts of Live Activities by pushes; if absent, ten an hour for an app with `liveActivities`.
    public var liveActivityStart: PushBudget?

    /// The location pushes; 360 in 24 hours if absent.
    public var location: PushBudget?

    /// The pushes to the file provider; any number if absent.
    public var fileProvider: PushBudget?

    /// The pushes for complications; 50 in 24 hours if absent.
    public var complication: PushBudget?

    /// The pushes that reload widgets; any number if absent.
    public var widgets: PushBudget?

    /// The pushes that reload controls; any number if absent.
    public var controls: PushBudget?

    /// The service updates of push to talk with priority 10; six an hour if absent.
    public var serviceUpdate: PushBudget?

    /// Creates the value from its parts.
    public init(
        background: PushBudget? = nil,
        liveActivity: PushBudget? = nil,
        liveActivityStart: PushBudget? = nil,
        location: PushBudget? = nil,
        fileProvider: PushBudget? = nil,
        complication: PushBudget? = nil,
        widgets: PushBudget? = nil,
        controls: PushBudget? = nil,
        serviceUpdate: PushBudget? = nil
    ) {
        self.background = background
        self.liveActivity = liveActivity
        self.liveActivityStart = liveActivityStart
        self.location = location
        self.fileProvider = fileProvider
        self.complication = complication
        self.widgets = widgets
        self.controls = controls
        self.serviceUpdate = serviceUpdate
    }
}
