import WaypostSchema

// The effects that cross to the apps' side, and the events that come from it.

extension DeviceEffect {
    /// Whether an app receives the effect; decide it here for each new effect.
    var isForAnApp: Bool {
        switch self {
        case .sharing(.highlightsChanged), .attribution(.attributionProvided), .attribution(.presentationChanged),
            .attribution(.menuItemChosen), .attribution(.showMoreTapped), .notification(.appCalled),
            .notification(.appEnded), .notification(.liveActivityChanged), .token(.tokenChanged):
            true
        case .system(.eventIgnored), .sharing(.automaticSharingConsidered), .attribution(.conversationPresented),
            .attribution(.disambiguationPresented), .attribution(.messageSent),
            .attribution(.contentReturned), .system(.associationUpdated), .notification(.notificationPosted),
            .notification(.notificationUpdated), .notification(.repetitionIgnored),
            .notification(.notificationDiscarded),
            .scene(.sceneActivated), .scene(.sceneOpened), .scene(.urlOpened), .scene(.sceneLeft),
            .scene(.activityOffered), .system(.deviceRestored),
            .scene(.nothingToOpen):
            false
        }
    }
}

extension DeviceEvent {
    /// Whether an app sent the event, so that the app may learn why the event changed nothing.
    var isOfAnApp: Bool {
        switch self {
        case .attribution(.attributionRequested), .attribution(.attributionReleased),
            .attribution(.attributionAttached), .attribution(.attributionDetached),
            .attribution(.attributionContextChanged), .attribution(.attributionTapped), .attribution(.menuItemChosen),
            .sharing(.highlightInteracted), .sharing(.contentFinished),
            .scene(.activationConditionsSet), .scene(.appValueSet), .scene(.restorationActivitySet),
            .scene(.shortcutItemsSet), .scene(.sceneRequested), .scene(.activationTaken),
            .attribution(.previewSupplied), .token(.tokenRequested), .token(.tokenReleased):
            true
        default: false
        }
    }
}

extension [DeviceEffect] {
    /// Returns the effects of an event that cross to the apps' side.
    func forApps(after event: DeviceEvent) -> [DeviceEffect] {
        filter { effect in
            if case .system(.eventIgnored) = effect { return event.isOfAnApp }
            return effect.isForAnApp
        }
    }
}
