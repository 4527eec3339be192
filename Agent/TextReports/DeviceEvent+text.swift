package import WaypostSchema

extension DeviceEvent {
    /// The change of the device by an event without effects, as a sentence.
    package var changeText: String {
        switch self {
        case .setting(let event): event.changeText
        case .token(let event): event.changeText
        case .sharing(let event): event.changeText
        case .scene(.sceneBackgrounded(_, let scene)): "\(scene) is in the background"
        case .scene(.sceneDisconnected(_, let scene)): "\(scene) is disconnected"
        case .scene(.sceneClosed(_, let scene)): "\(scene) is closed"
        case .scene(.activationConditionsSet(_, let scene, _)): "\(scene) has new activation conditions"
        case .scene(.appValueSet(let app, let name, _)):
            "\(app) has a new value '\(name)'; conditions that are set keep the earlier one, until they are set again"
        case .scene(.shortcutItemsSet(let app, let items)):
            "\(app) has \(items.count == 1 ? "1 quick action" : "\(items.count) quick actions")"
        case .notification(.notificationDismissed(let id)): "\(id) is removed"
        case .notification(.liveActivityDismissed(let id)): "the Live Activity \(id) is removed"
        case .system(.appInstalled(let app)): "\(app.bundleIdentifier) is installed"
        case .system(.appRemoved(let app)): "\(app) is removed"
        case .system(.appForceQuit(let app)): "\(app) was ended by the user"
        case .system(.deviceDescribed(let device)): "\(device.name) is as described"
        case .system(.timePassed): "nothing was due"
        case .system, .attribution, .notification, .scene:
            "the device has recorded \(kind.rawValue); nothing visible follows"
        }
    }
}

extension SettingEvent {
    fileprivate var changeText: String {
        func state(_ name: String, _ isOn: Bool) -> String { "\(name) is \(isOn ? "on" : "off")" }
        return switch self {
        case .lowPowerModeSet(let isOn): state("Low Power Mode", isOn)
        case .airplaneModeSet(let isOn): state("Airplane Mode", isOn)
        case .lockSet(let isOn): "the device is \(isOn ? "locked" : "unlocked")"
        case .muteSwitchSet(let isOn): state("the mute switch", isOn)
        case .activeCallSet(let isOn): "the user is \(isOn ? "" : "not ")in a call"
        case .languageSet(let language): "the language is \(language)"
        case .contentSizeCategorySet(let category): "the text size is \(category.rawValue)"
        case .prefersOnlyAmongCapableSet(let isOn):
            isOn ? "a scene may prefer only what it can display" : "a scene may prefer anything"
        case .layoutSet(.fullScreen): "one scene fills the screen"
        case .layoutSet(.twoWindows): "two scenes are side by side"
        case .layoutSet(.manyWindows): "every scene has a window"
        case .responseAlsoAtConnectSet(let isOn):
            "a response for which a scene connects is delivered \(isOn ? "twice" : "once")"
        case .badgeZeroClearsSet(let isOn):
            "a badge of 0 clears \(isOn ? "the notifications of its app" : "only the badge")"
        case .focusSet(nil): "no Focus is on"
        case .focusSet(let focus?): "the Focus \(focus.name) is on"
        case .notificationSettingsSet(let app, _): "\(app) has new settings for notifications"
        case .liveActivitySettingsSet(let app, _): "\(app) has new settings for Live Activities"
        case .backgroundRefreshSet(let app, let isOn): state("Background App Refresh of \(app)", isOn)
        }
    }
}

extension TokenEvent {
    fileprivate var changeText: String {
        switch self {
        case .tokenRequested(let purpose): "the token of \(purpose.text) is requested"
        case .tokenReleased(let purpose): "the token of \(purpose.text) is released"
        case .tokenAssigned(let purpose, let token): "\(purpose.text) has the token \(token)"
        case .tokenInvalidated(let token): "the token \(token) is not valid any more"
        }
    }
}

extension SharingEvent {
    fileprivate var changeText: String {
        switch self {
        case .contactChanged(let contact): "\(contact.id) is in Contacts"
        case .contactRemoved(let id): "\(id) is no longer in Contacts"
        case .conversationChanged(let conversation): "the conversation \(conversation.id) has changed"
        case .conversationDeleted(let id): "the conversation \(id) is deleted"
        case .messageReceived(let message): "\(message.id) arrived"
        case .messageEdited(let id, _): "\(id) has a new text"
        case .messageDeleted(let id): "\(id) is deleted"
        case .linkPinned(let id, _): "the link of \(id) is pinned"
        case .linkUnpinned(let id, _): "the link of \(id) is not pinned"
        case .linkResolved(let url, let target): "\(url) leads to \(target)"
        case .linkRemoved(let url): "\(url) is removed"
        case .linkRestored(let url): "\(url) is restored"
        case .sharingSet(.everywhere, let isOn): "sharing is \(isOn ? "on" : "off")"
        case .sharingSet(.app(let app), let isOn): "sharing with \(app) is \(isOn ? "on" : "off")"
        case .sharingSet(.conversation(let id), let isOn): "sharing in \(id) is \(isOn ? "on" : "off")"
        case .automaticSharingSet(let app, let isOn): "automatic sharing with \(app) is \(isOn ? "on" : "off")"
        case .automaticSharingOfferAnswered(let app, let answer): "the offer of \(app) is \(answer.rawValue)"
        case .highlightInteracted(_, let url): "\(url) was opened"
        case .contentFinished(_, let url): "\(url) is finished"
        }
    }
}
