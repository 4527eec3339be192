internal import DeviceModel
internal import JSONScanning
internal import SchemaFiles
internal import WaypostSchema

/// Writes the events of a device as steps of a scenario.
struct StepWriter {
    typealias Members = [(String, JSONValue)]

    let device: String

    /// The names of all recorded devices.
    let recordedDevices: [String]

    private var titles: [NotificationID: String] = [:]
    private var links: [AttributionViewID: String] = [:]

    init(device: String, recordedDevices: [String]) {
        self.device = device
        self.recordedDevices = recordedDevices
    }

    /// Returns the steps for an event: none if it follows from others, such as the passing of time.
    mutating func steps(for event: DeviceEvent, _ effects: [DeviceEffect]) -> [Members] {
        switch event {
        case .system(let event): steps(for: event)
        case .sharing(let event): [step(for: event)]
        case .attribution(let event): steps(for: event, effects)
        case .notification(let event): steps(for: event, effects)
        case .scene(let event): steps(for: event, effects)
        case .setting(let event): [step(for: event)]
        case .token(let event): steps(for: event)
        }
    }

    private func steps(for event: SystemEvent) -> [Members] {
        switch event {
        case .snapshotTaken(let name): [action("snapshot", ["name": .string(name)])]
        case .deviceRestored(let name): [action("reset", name.map { ["to": .string($0)] } ?? [:])]
        // Only a device of the scenario has a backup.
        case .backupRestored(let backup) where recordedDevices.contains(backup.name):
            [action("restore-backup", ["from": .string(backup.name)])]
        case .backupRestored: []
        case .timePassed, .deviceDescribed, .deviceRenamed: []
        case .appInstalled, .appRemoved, .appForceQuit, .associationChecked: [eventStep(.system(event))]
        }
    }

    private func steps(for event: TokenEvent) -> [Members] {
        switch event {
        case .tokenRequested, .tokenReleased: [eventStep(.token(event))]
        // The gateway of the run assigns tokens of its own.
        case .tokenAssigned, .tokenInvalidated: []
        }
    }

    private func step(for event: SettingEvent) -> Members {
        switch event {
        case .lowPowerModeSet(let isOn): action("power", ["mode": .string(isOn ? "low" : "normal")])
        case .airplaneModeSet(let isOn): action("network", ["state": .string(isOn ? "off" : "on")])
        case .lockSet, .muteSwitchSet, .activeCallSet, .languageSet, .contentSizeCategorySet,
            .prefersOnlyAmongCapableSet, .layoutSet, .responseAlsoAtConnectSet, .badgeZeroClearsSet, .focusSet,
            .notificationSettingsSet, .liveActivitySettingsSet, .backgroundRefreshSet:
            eventStep(.setting(event))
        }
    }

    private func action(_ name: String, _ fields: [String: JSONValue]) -> Members {
        [(name, .object(fields.merging(["device": .string(device)]) { _, device in device }))]
    }

    /// Returns a step that applies an event as it is.
    private func eventStep(_ event: DeviceEvent) -> Members {
        action("event", JSONValue(encoding: event).members)
    }

    private func link(_ message: MessageID, _ url: String?) -> [String: JSONValue] {
        var fields: [String: JSONValue] = ["message": .string(message.rawValue)]
        fields["link"] = url.map { .string($0) }
        return fields
    }

    private func fields(of message: Message) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "id": .string(message.id.rawValue), "conversation": .string(message.conversation.rawValue),
            "text": .string(message.text),
        ]
        fields["from"] = message.sender.map { .string($0.rawValue) }
        return fields
    }
}

// MARK: - Contacts, messages and the user's choices about them

extension StepWriter {
    private func step(for event: SharingEvent) -> Members {
        func state(_ isOn: Bool) -> JSONValue { .string(isOn ? "on" : "off") }
        return switch event {
        case .contactChanged(let contact): action("contact", JSONValue(encoding: contact).members)
        case .conversationChanged(let conversation): action("conversation", JSONValue(encoding: conversation).members)
        case .messageReceived(let message): action("message", fields(of: message))
        case .linkPinned(let message, let url): action("pin", link(message, url))
        case .linkUnpinned(let message, let url): action("unpin", link(message, url))
        case .linkRemoved(let url): action("remove", ["link": .string(url)])
        case .linkRestored(let url): action("restore", ["link": .string(url)])
        case .sharingSet(.everywhere, let isOn): action("consent", ["sharing": state(isOn)])
        case .sharingSet(.app(let app), let isOn):
            action("consent", ["sharing": state(isOn), "app": .string(app.rawValue)])
        case .sharingSet(.conversation(let conversation), let isOn):
            action("consent", ["sharing": state(isOn), "conversation": .string(conversation.rawValue)])
        case .automaticSharingSet(let app, let isOn):
            action("consent", ["automatic": state(isOn), "app": .string(app.rawValue)])
        case .automaticSharingOfferAnswered(let app, let answer):
            action("consent", ["offer": .string(answer.rawValue), "app": .string(app.rawValue)])
        case .contactRemoved, .conversationDeleted, .messageEdited, .messageDeleted, .linkResolved,
            .highlightInteracted, .contentFinished:
            eventStep(.sharing(event))
        }
    }
}

// MARK: - Notifications

extension StepWriter {
    private mutating func steps(for event: NotificationEvent, _ effects: [DeviceEffect]) -> [Members] {
        switch event {
        case .notificationDelivered(let notification): return delivery(notification, effects)
        case .notificationOpened(let id):
            return [opening(["notification": .string(titles[id] ?? id.rawValue)], effects)]
        case .notificationActionChosen(let id, let action, let text):
            var fields = ["notification": .string(titles[id] ?? id.rawValue), "action": JSONValue.string(action)]
            fields["text"] = text.map { .string($0) }
            return [opening(fields, effects)]
        case .notificationDismissed, .appCallFinished, .liveActivityDismissed, .localNotificationRequested:
            return [eventStep(.notification(event))]
        }
    }

    private mutating func delivery(_ notification: DeliveredNotification, _ effects: [DeviceEffect]) -> [Members] {
        switch notification.topic {
        case .messages:
            // The payload is an event of Messages, which a step can have directly.
            guard let event = try? DocumentDecoder.decode(DeviceEvent.self, from: notification.payload.node) else {
                return []
            }
            return steps(for: event, effects)
        case .activities: return handoff(effects)
        default: return [("send", .object(sending(notification)))].map { [$0] }
        }
    }

    private mutating func sending(_ notification: DeliveredNotification) -> [String: JSONValue] {
        let content = NotificationContent(payload: notification.payload)
        let title = content.title.flatMap { title in titles.values.contains(title) ? nil : title }
        titles[notification.id] = title
        var fields: [String: JSONValue] = ["to": .string(device), "topic": .string(notification.topic.rawValue)]
        if content.payload == notification.payload {
            fields["title"] = content.title.map { .string($0) }
            fields["body"] = content.body.map { .string($0) }
            fields["target-content-id"] = content.targetContentIdentifier.map { .string($0.rawValue) }
        } else {
            fields["payload"] = notification.payload
        }
        // Without a title of its own, the notification is opened by its identifier.
        if title == nil { fields["id"] = .string(notification.id.rawValue) }
        if notification.pushType != .alert { fields["push-type"] = .string(notification.pushType.rawValue) }
        if notification.priority != 10 { fields["priority"] = .integer(notification.priority) }
        fields["collapse-id"] = notification.collapseID.map { .string($0.rawValue) }
        return fields
    }

    /// Returns the step of the other device that handed an activity off, if it was recorded.
    private func handoff(_ effects: [DeviceEffect]) -> [Members] {
        for case .scene(.activityOffered(let offer)) in effects where recordedDevices.contains(offer.from) {
            let fields: [String: JSONValue] = [
                "device": .string(offer.from), "app": .string(offer.app.rawValue), "to": .string(device),
            ]
            return [[("handoff", .object(fields))]]
        }
        return []
    }
}

extension NotificationContent {
    /// The payload that has exactly this content.
    fileprivate var payload: JSONValue {
        var alert: [String: JSONValue] = [:]
        alert["title"] = title.map { .string($0) }
        alert["body"] = body.map { .string($0) }
        var aps: [String: JSONValue] = [:]
        if !alert.isEmpty { aps["alert"] = .object(alert) }
        aps["target-content-id"] = targetContentIdentifier.map { .string($0.rawValue) }
        return .object(["aps": .object(aps)])
    }
}

// MARK: - The user

extension StepWriter {
    private func steps(for event: SceneEvent, _ effects: [DeviceEffect]) -> [Members] {
        switch event {
        case .appOpened(let app): return [opening(["app": .string(app.rawValue)], effects)]
        case .shortcutItemPerformed(let app, let type):
            return [opening(["app": .string(app.rawValue), "shortcut": .string(type)], effects)]
        case .userActivityContinued(_, let activity, _, let error):
            var fields: [String: JSONValue] = ["activity": .string(activity.title ?? activity.activityType)]
            fields["error"] = error.map { .string($0.rawValue) }
            return [opening(fields, effects)]
        case .urlOpened(let url, let from, let page):
            var fields: [String: JSONValue] = ["url": .string(url)]
            fields["from"] = from.map { .string($0.rawValue) }
            fields["page"] = page.map { .string($0) }
            return [opening(fields, effects)]
        case .activationTaken: return []
        case .sceneCreated, .sceneRequested, .sceneBroughtForward, .sceneBackgrounded, .sceneDisconnected,
            .sceneClosed, .activationConditionsSet, .appValueSet, .restorationActivitySet, .shortcutItemsSet:
            return [eventStep(.scene(event))]
        }
    }

    private mutating func steps(for event: AttributionEvent, _ effects: [DeviceEffect]) -> [Members] {
        func tap(_ fields: [String: JSONValue]) -> [Members] { [action("tap", fields) + expectation(effects)] }
        func fields(_ app: BundleIdentifier, _ view: AttributionViewID) -> [String: JSONValue] {
            ["app": .string(app.rawValue), "link": .string(links[view] ?? "")]
        }
        switch event {
        case .attributionRequested(_, let view, let url, _):
            links[view] = url
            return [eventStep(.attribution(event))]
        case .attributionTapped(let app, let view, _): return tap(fields(app, view))
        case .menuItemChosen(let app, let view, let item, _):
            return tap(fields(app, view).merging(["item": .string(item.rawValue)]) { $1 })
        case .conversationChosen(let conversation): return tap(["choose": .string(conversation.rawValue)])
        case .replySent(let message): return [action("reply", ["text": .string(message.text)])]
        case .messageDelivered: return []
        case .showMoreTapped(let app, nil):
            return tap(["app": .string(app.rawValue), "item": .string(MenuItemID.showMore.rawValue)])
        case .showMoreTapped: return [eventStep(.attribution(event))]
        case .attributionReleased, .attributionAttached, .attributionDetached, .attributionContextChanged,
            .presentationDismissed, .previewSupplied:
            return [eventStep(.attribution(event))]
        }
    }

    private func opening(_ fields: [String: JSONValue], _ effects: [DeviceEffect]) -> Members {
        action("open", fields) + expectation(effects)
    }

    /// Returns what the device did, as an expectation.
    private func expectation(_ effects: [DeviceEffect]) -> Members {
        var fields: [String: JSONValue] = [:]
        for effect in effects {
            switch effect {
            case .scene(.sceneActivated(let opened)), .scene(.sceneOpened(let opened)): fields = self.fields(of: opened)
            case .scene(.urlOpened(let opened)):
                fields = opened.opened.map(self.fields) ?? [:]
                fields["destination"] = .string(opened.destination.rawValue)
            case .attribution(.conversationPresented(let conversation)):
                fields["conversation"] = .string(conversation.title.withoutIsolates)
            case .attribution(.disambiguationPresented(let menu)):
                fields["choices"] = .array(menu.choices.map { .string($0.title.withoutIsolates) })
            default: break
            }
        }
        return fields.isEmpty ? [] : [("expect", .object(fields))]
    }

    private func fields(of opened: OpenedScene) -> [String: JSONValue] {
        // The topic of a notification names the app.
        var fields: [String: JSONValue] = opened.notification == nil ? ["app": .string(opened.app.rawValue)] : [:]
        // The identifier of a new scene is the system's own.
        if opened.activation.isNewScene {
            fields["created"] = .bool(true)
        } else {
            fields["scene"] = .string(opened.scene.rawValue)
        }
        fields["reason"] = opened.decision.map { .string($0.reason.rawValue) }
        return fields
    }
}
