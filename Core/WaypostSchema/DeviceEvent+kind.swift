extension DeviceEvent {
    /// The names of the events: the `type` of a journal's line.
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
        case conversationChosen, replySent, presentationDismissed
        case highlightInteracted, contentFinished
        case notificationDelivered, notificationOpened, notificationDismissed
        case appOpened
        case sceneCreated, sceneBroughtForward, sceneBackgrounded, sceneDisconnected, sceneClosed
        case activationConditionsSet, restorationActivitySet
        case shortcutItemsSet, shortcutItemPerformed
        case userActivityContinued, urlOpened
        case activationTaken, previewSupplied
        case lowPowerModeSet, airplaneModeSet, languageSet, contentSizeCategorySet
        case deviceRenamed, snapshotTaken, deviceRestored
        case timePassed
    }

    /// The name of the event.
    public var kind: Kind {
        switch self {
        case .deviceDescribed: .deviceDescribed
        case .appInstalled: .appInstalled
        case .appRemoved: .appRemoved
        case .associationChecked: .associationChecked
        case .contactChanged: .contactChanged
        case .contactRemoved: .contactRemoved
        case .conversationChanged: .conversationChanged
        case .conversationDeleted: .conversationDeleted
        case .messageReceived: .messageReceived
        case .messageEdited: .messageEdited
        case .messageDeleted: .messageDeleted
        case .linkPinned: .linkPinned
        case .linkUnpinned: .linkUnpinned
        case .linkResolved: .linkResolved
        case .linkRemoved: .linkRemoved
        case .linkRestored: .linkRestored
        case .sharingSet: .sharingSet
        case .automaticSharingSet: .automaticSharingSet
        case .automaticSharingOfferAnswered: .automaticSharingOfferAnswered
        case .attributionRequested: .attributionRequested
        case .attributionReleased: .attributionReleased
        case .attributionAttached: .attributionAttached
        case .attributionDetached: .attributionDetached
        case .attributionContextChanged: .attributionContextChanged
        case .attributionTapped: .attributionTapped
        case .menuItemChosen: .menuItemChosen
        case .conversationChosen: .conversationChosen
        case .replySent: .replySent
        case .presentationDismissed: .presentationDismissed
        case .highlightInteracted: .highlightInteracted
        case .contentFinished: .contentFinished
        case .notificationDelivered: .notificationDelivered
        case .notificationOpened: .notificationOpened
        case .notificationDismissed: .notificationDismissed
        case .appOpened: .appOpened
        case .sceneCreated: .sceneCreated
        case .sceneBroughtForward: .sceneBroughtForward
        case .sceneBackgrounded: .sceneBackgrounded
        case .sceneDisconnected: .sceneDisconnected
        case .sceneClosed: .sceneClosed
        case .activationConditionsSet: .activationConditionsSet
        case .restorationActivitySet: .restorationActivitySet
        case .shortcutItemsSet: .shortcutItemsSet
        case .shortcutItemPerformed: .shortcutItemPerformed
        case .userActivityContinued: .userActivityContinued
        case .urlOpened: .urlOpened
        case .activationTaken: .activationTaken
        case .previewSupplied: .previewSupplied
        case .lowPowerModeSet: .lowPowerModeSet
        case .airplaneModeSet: .airplaneModeSet
        case .languageSet: .languageSet
        case .contentSizeCategorySet: .contentSizeCategorySet
        case .deviceRenamed: .deviceRenamed
        case .snapshotTaken: .snapshotTaken
        case .deviceRestored: .deviceRestored
        case .timePassed: .timePassed
        }
    }
}
