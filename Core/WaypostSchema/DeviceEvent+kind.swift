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
        case notificationDelivered, notificationOpened
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
        case .timePassed: .timePassed
        }
    }
}
