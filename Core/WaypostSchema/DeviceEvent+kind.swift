extension DeviceEvent {
    /// The names of the events: the `type` of a journal entry.
    public enum Kind: String, StringChoice {
        case deviceDescribed, appInstalled, appRemoved
        case associationChecked
        case contactChanged, contactRemoved
        case conversationChanged, conversationDeleted
        case messageReceived, messageEdited, messageDeleted
        case linkPinned, linkUnpinned, linkResolved, linkRemoved, linkRestored
        case sharingSet, automaticSharingSet, automaticSharingOfferAnswered
        case attributionRequested, attributionReleased
        case attributionAttached, attributionDetached, attributionContextChanged
        case attributionTapped, menuItemChosen
        case conversationChosen, replySent, messageDelivered, presentationDismissed
        case highlightInteracted, contentFinished
        case notificationDelivered, notificationOpened, notificationDismissed
        case notificationActionChosen, appCallFinished, appForceQuit, backgroundRefreshSet, lockSet
        case liveActivityDismissed
        case appOpened
        case sceneCreated, sceneBroughtForward, sceneBackgrounded, sceneDisconnected, sceneClosed
        case activationConditionsSet, restorationActivitySet
        case shortcutItemsSet, shortcutItemPerformed
        case userActivityContinued, urlOpened
        case activationTaken, previewSupplied
        case lowPowerModeSet, airplaneModeSet, languageSet, contentSizeCategorySet
        case prefersOnlyAmongCapableSet
        case notificationSettingsSet, focusSet
        case deviceRenamed, snapshotTaken, deviceRestored
        case timePassed
    }
}
