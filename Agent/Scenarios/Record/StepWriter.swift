internal import DeviceModel
internal import JSONScanning
internal import SchemaFiles
internal import WaypostSchema

/// Writes the events of a device as steps of a scenario.
struct StepWriter {
    typealias Members = [(String, JSONValue)]

    let device: String

    /// The names of all recorded devices.
    let others: [String]

    private var titles: [NotificationID: String] = [:]
    private var links: [AttributionViewID: String] = [:]

    init(device: String, others: [String]) {
        self.device = device
        self.others = others
    }

    /// Returns the steps for an event: none if it follows from others, such as the passing of time.
    mutating func steps(for event: DeviceEvent, _ effects: [DeviceEffect]) -> [Members] {
        switch event {
        case .notificationDelivered(let notification): return delivery(notification, effects)
        case .messageReceived(let message): return [action("message", fields(of: message))]
        case .contactChanged(let contact): return [action("contact", JSONValue(encoding: contact).members)]
        case .conversationChanged(let conversation):
            return [action("conversation", JSONValue(encoding: conversation).members)]
        case .linkPinned(let message, let url): return [action("pin", link(message, url))]
        case .linkUnpinned(let message, let url): return [action("unpin", link(message, url))]
        case .linkRemoved(let url): return [action("remove", ["link": .string(url)])]
        case .linkRestored(let url): return [action("restore", ["link": .string(url)])]
        case .lowPowerModeSet(let isOn): return [action("power", ["mode": .string(isOn ? "low" : "normal")])]
        case .airplaneModeSet(let isOn): return [action("network", ["state": .string(isOn ? "off" : "on")])]
        case .snapshotTaken(let name): return [action("snapshot", ["name": .string(name)])]
        case .deviceRestored(let name): return [action("reset", name.map { ["to": .string($0)] } ?? [:])]
        case .sharingSet, .automaticSharingSet, .automaticSharingOfferAnswered: return consent(event)
        case .notificationOpened, .notificationActionChosen, .urlOpened, .appOpened, .shortcutItemPerformed,
            .userActivityContinued:
            return opening(event, effects)
        case .attributionRequested(_, let view, let url, _):
            links[view] = url
            return [generic(event)]
        case .attributionTapped, .menuItemChosen, .conversationChosen, .replySent: return tap(event, effects)
        case .timePassed, .deviceDescribed, .deviceRenamed, .messageDelivered, .activationTaken: return []
        default: return [generic(event)]
        }
    }

    private func action(_ name: String, _ fields: [String: JSONValue]) -> Members {
        [(name, .object(fields.merging(["device": .string(device)]) { _, device in device }))]
    }

    /// Returns a step that applies an event as it is.
    private func generic(_ event: DeviceEvent) -> Members {
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

// MARK: - Notifications

extension StepWriter {
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
        for case .activityOffered(let offer) in effects where others.contains(offer.from) {
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
    private func consent(_ event: DeviceEvent) -> [Members] {
        func text(_ isOn: Bool) -> JSONValue { .string(isOn ? "on" : "off") }
        switch event {
        case .sharingSet(let scope, let isOn):
            var fields = ["sharing": text(isOn)]
            switch scope {
            case .everywhere: break
            case .app(let app): fields["app"] = .string(app.rawValue)
            case .conversation(let conversation): fields["conversation"] = .string(conversation.rawValue)
            }
            return [action("consent", fields)]
        case .automaticSharingSet(let app, let isOn):
            return [action("consent", ["automatic": text(isOn), "app": .string(app.rawValue)])]
        case .automaticSharingOfferAnswered(let app, let answer):
            return [action("consent", ["offer": .string(answer.rawValue), "app": .string(app.rawValue)])]
        default: return []
        }
    }

    private func opening(_ event: DeviceEvent, _ effects: [DeviceEffect]) -> [Members] {
        var fields: [String: JSONValue] = [:]
        switch event {
        case .notificationOpened(let id): fields["notification"] = .string(titles[id] ?? id.rawValue)
        case .notificationActionChosen(let id, let action, let text):
            fields["notification"] = .string(titles[id] ?? id.rawValue)
            fields["action"] = .string(action)
            fields["text"] = text.map { .string($0) }
        case .urlOpened(let url, let from):
            fields["url"] = .string(url)
            fields["from"] = from.map { .string($0.rawValue) }
        case .appOpened(let app): fields["app"] = .string(app.rawValue)
        case .shortcutItemPerformed(let app, let type):
            fields["app"] = .string(app.rawValue)
            fields["shortcut"] = .string(type)
        case .userActivityContinued(_, let activity, _):
            fields["activity"] = .string(activity.title ?? activity.activityType)
        default: break
        }
        return [action("open", fields) + expectation(effects)]
    }

    /// Returns what the device did, as an expectation.
    private func expectation(_ effects: [DeviceEffect]) -> Members {
        var fields: [String: JSONValue] = [:]
        for effect in effects {
            switch effect {
            case .sceneActivated(let opened):
                fields = ["reason": .string(opened.decision.reason.rawValue)]
                // The identifier of a new scene is the system's own.
                if opened.decision.outcome == .create {
                    fields["created"] = .bool(true)
                } else {
                    fields["scene"] = .string(opened.scene.rawValue)
                }
            case .sceneOpened(let opened): fields = self.fields(of: opened)
            case .urlOpened(let opened):
                fields = opened.opened.map(self.fields) ?? [:]
                fields["destination"] = .string(opened.destination.rawValue)
            case .conversationPresented(let shown): fields["conversation"] = .string(shown.title.withoutIsolates)
            case .disambiguationPresented(let menu):
                fields["choices"] = .array(menu.choices.map { .string($0.title.withoutIsolates) })
            default: break
            }
        }
        return fields.isEmpty ? [] : [("expect", .object(fields))]
    }

    private func fields(of opened: OpenedScene) -> [String: JSONValue] {
        var fields: [String: JSONValue] = ["app": .string(opened.app.rawValue)]
        // The identifier of a new scene is the system's own.
        if opened.activation.isNewScene {
            fields["created"] = .bool(true)
        } else {
            fields["scene"] = .string(opened.activation.scene.rawValue)
        }
        fields["reason"] = opened.decision.map { .string($0.reason.rawValue) }
        return fields
    }

    private func tap(_ event: DeviceEvent, _ effects: [DeviceEffect]) -> [Members] {
        var fields: [String: JSONValue] = [:]
        switch event {
        case .attributionTapped(let app, let view, _):
            fields = ["app": .string(app.rawValue), "link": .string(links[view] ?? "")]
        case .menuItemChosen(let app, let view, let item, _):
            fields = ["app": .string(app.rawValue), "link": .string(links[view] ?? "")]
            fields["item"] = .string(item.rawValue)
        case .conversationChosen(let conversation): fields["choose"] = .string(conversation.rawValue)
        case .replySent(let message): return [action("reply", ["text": .string(message.text)])]
        default: break
        }
        return [action("tap", fields) + expectation(effects)]
    }
}
