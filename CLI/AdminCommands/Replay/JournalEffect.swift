internal import TextReports
internal import WaypostSchema

/// An effect of a line of a device's journal.
struct JournalEffect: Encodable {
    /// The time of the event.
    let at: Timestamp

    /// The number of the line, from 1, or `nil` if only time passed after the last one.
    let line: Int?

    /// The type of the event.
    let event: DeviceEvent.Kind

    /// The effect on the device.
    let effect: DeviceEffect

    /// The effect as text.
    var text: String {
        let place = line.map { "line \($0)" } ?? "end"
        return "\(place)  \(event.rawValue)  \(effect.text)"
    }
}

extension DeviceEffect {
    /// A description of the effect on one line; further lines have details for an app.
    var text: String {
        switch self {
        case .system(let effect): effect.text
        case .sharing(let effect): effect.text
        case .attribution(let effect): effect.text
        case .notification(let effect): effect.text
        case .scene(let effect): effect.text
        case .token(let effect): effect.text
        }
    }
}

extension SystemEffect {
    fileprivate var text: String {
        switch self {
        case .eventIgnored(let ignoredEvent): "nothing: \(ignoredEvent.explanation)"
        case .associationUpdated(let file):
            "the association file of \(file.domain): \(file.failure?.message ?? "fetched")"
        case .deviceRestored: "the device is restored"
        }
    }
}

extension SharingEffect {
    fileprivate var text: String {
        switch self {
        case .automaticSharingConsidered(let offer): "\(offer.isOffered ? "offer" : "no offer"): \(offer.explanation)"
        case .highlightsChanged(let update): update.text
        }
    }
}

extension AttributionEffect {
    fileprivate var text: String {
        switch self {
        case .attributionProvided(let view): view.text
        case .presentationChanged(let notice): "\(notice.app) is notified: \(notice.state.rawValue)"
        case .conversationPresented(let presentation):
            "the conversation \(presentation.conversation) is shown over \(presentation.app)"
        case .disambiguationPresented(let menu):
            "\(menu.title) \(menu.choices.map(\.title).joined(separator: " | "))"
        case .messageSent(let message, let recipients):
            (["the message \(message.id) is sent to \(message.conversation)"]
                + recipients.map { "\($0.handle): \($0.explanation)" }).joined(separator: "; ")
        case .contentReturned(let place):
            "back in \(place.app)\(place.scene.map { ", scene \($0)" } ?? ""), at \(place.url)"
        case .menuItemChosen(let choice): "\(choice.app) is notified: its item \(choice.item) was chosen"
        case .showMoreTapped(let app): "\(app) is notified: Show More was tapped, so it shows all items"
        }
    }
}

extension NotificationEffect {
    fileprivate var text: String {
        switch self {
        case .notificationPosted(let notification): "the notification \(notification.id) for \(notification.topic)"
        case .notificationUpdated(let notification):
            "the notification \(notification.id) is now: \(notification.presentation?.rawValue ?? "")"
        case .appCalled(let app, let call):
            "\(app) is called: \(call.function.rawValue), call \(call.number), for \(call.notification.id)"
        case .appEnded(let app, let call): "\(app) is ended by the system, because of call \(call.number)"
        case .liveActivityChanged(let activity):
            "the Live Activity \(activity.id) of \(activity.app) is \(activity.state.rawValue)"
        case .repetitionIgnored(let id): "nothing: the notification \(id) was delivered before"
        case .notificationDiscarded(let id, let topic): "nothing: no app has the topic \(topic), that of \(id)"
        }
    }
}

extension TokenEffect {
    fileprivate var text: String {
        switch self {
        case .tokenChanged(let purpose, let token): "\(purpose.text): \(token.map { "the token \($0)" } ?? "no token")"
        }
    }
}

extension SceneEffect {
    fileprivate var text: String {
        switch self {
        case .sceneActivated(let openedScene), .sceneOpened(let openedScene): openedScene.text
        case .urlOpened(let openedURL): "\(openedURL.explanation)\(openedURL.opened.map { ", \($0.text)" } ?? "")"
        case .sceneLeft(let departure):
            "the scene \(departure.scene) of \(departure.app) is \(departure.state.text)"
        case .activityOffered(let offer): "\(offer.app) can continue an activity of \(offer.from)"
        case .nothingToOpen(let id): "nothing: there is no notification \(id)"
        }
    }
}

extension AttributionView {
    fileprivate var text: String {
        let titles = menu.map(\.title).joined(separator: ", ")
        let head = "\(app) receives the view \(view): \(size.width) × \(size.height) points, \(titles)"
        return ([head] + findings.map { "        \($0.field): \($0.message)" }).joined(separator: "\n")
    }
}

extension HighlightsUpdate {
    fileprivate var text: String {
        let curated = curated ? ", the first one curated" : ""
        let head = "\(app) receives update \(number): \(state.rawValue), \(total) in all\(curated)"
        return ([head] + changes.map { "        \($0.text)" }).joined(separator: "\n")
    }
}

extension HighlightChange {
    fileprivate var text: String {
        let place =
            switch (from, to) {
            case (nil, let to?): "at \(to + 1)"
            case (let from?, nil): "from \(from + 1)"
            case (let from?, let to?): from == to ? "at \(to + 1)" : "from \(from + 1) to \(to + 1)"
            case (nil, nil): ""
            }
        return "\(change.rawValue) \(place)  \(highlight.url)"
    }
}

extension OpenedScene {
    /// The scene that was opened, on one line.
    var text: String {
        "\(app) opened \(activation.isNewScene ? "the new scene" : "its scene") \(scene)"
    }
}

extension SceneDeparture.State {
    fileprivate var text: String {
        switch self {
        case .background: "in the background"
        case .disconnected: "disconnected"
        case .closed: "closed"
        }
    }
}
