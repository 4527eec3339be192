import WaypostSchema

// The effects that cross to the apps' side, and the events that come from it.

extension DeviceEffect {
    /// Whether an app receives the effect; decide it here for each new effect.
    var isForAnApp: Bool {
        switch self {
        case .highlightsChanged, .attributionProvided, .presentationChanged, .menuItemChosen, .appCalled,
            .liveActivityChanged:
            true
        case .eventIgnored, .automaticSharingConsidered, .conversationPresented, .disambiguationPresented, .messageSent,
            .contentReturned, .associationUpdated, .notificationPosted, .notificationUpdated, .repetitionIgnored,
            .notificationDiscarded,
            .sceneActivated, .sceneOpened, .urlOpened, .sceneLeft, .activityOffered, .deviceRestored,
            .nothingToOpen:
            false
        }
    }
}

extension DeviceEvent {
    /// Whether an app sent the event, so that the app may learn why the event changed nothing.
    var isOfAnApp: Bool {
        switch self {
        case .attributionRequested, .attributionReleased, .attributionAttached, .attributionDetached,
            .attributionContextChanged, .attributionTapped, .menuItemChosen, .highlightInteracted, .contentFinished,
            .activationConditionsSet, .restorationActivitySet, .shortcutItemsSet, .activationTaken, .previewSupplied:
            true
        default: false
        }
    }
}

extension [DeviceEffect] {
    /// Returns the effects of an event that cross to the apps' side.
    func forApps(after event: DeviceEvent) -> [DeviceEffect] {
        filter { effect in
            if case .eventIgnored = effect { return event.isOfAnApp }
            return effect.isForAnApp
        }
    }
}
