import WaypostSchema

// What crosses to the side of apps, and what comes from there.

extension DeviceEffect {
    /// Whether an app is told; whoever adds an effect decides here.
    var isForAnApp: Bool {
        switch self {
        case .highlightsChanged, .attributionProvided, .presentationChanged, .menuItemChosen: true
        case .eventIgnored, .automaticSharingConsidered, .conversationPresented, .disambiguationPresented, .messageSent,
            .contentReturned, .associationUpdated, .notificationPosted, .repetitionIgnored, .notificationDiscarded,
            .sceneActivated, .sceneOpened, .urlOpened, .sceneLeft, .activityOffered, .deviceRestored,
            .nothingToOpen:
            false
        }
    }
}

extension DeviceEvent {
    /// Whether an app asked for it, so that it may learn why nothing came of it.
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
    /// What of the effects of an event crosses to the side of apps.
    func forApps(after event: DeviceEvent) -> [DeviceEffect] {
        filter { effect in
            if case .eventIgnored = effect { return event.isOfAnApp }
            return effect.isForAnApp
        }
    }
}
