internal import DeviceModel
internal import WaypostSchema

/// A device of a fleet: its model, and the notifications that it shows.
struct FleetDevice {
    /// A result of the arrival of a notification.
    enum Arrival {
        case first
        case repeated
        case discarded
    }

    let token: DeviceToken
    private(set) var model: DeviceModel

    /// The events, if they are recorded.
    private(set) var journal: [JournalEntry]?

    /// The notifications that are shown, the oldest first.
    private var shown: [NotificationID] = []

    init(_ description: DeviceDescription, token: DeviceToken, isRecorded: Bool, at now: Timestamp) {
        self.token = token
        model = DeviceModel()
        if isRecorded { journal = [] }
        _ = apply(.system(.deviceDescribed(description)), at: now)
    }

    /// Applies a notification, and dismisses the oldest ones beyond the limit.
    mutating func take(_ notification: DeliveredNotification, keeping limit: Int, at now: Timestamp) -> Arrival {
        var arrival = Arrival.first
        for effect in apply(.notification(.notificationDelivered(notification)), at: now).effects {
            switch effect {
            case .notification(.repetitionIgnored): arrival = .repeated
            case .notification(.notificationDiscarded): arrival = .discarded
            case .notification(.notificationPosted(let posted)):
                if let replaced = posted.replaced { shown.removeAll { $0 == replaced } }
                shown.append(posted.id)
            default: break
            }
        }
        while shown.count > limit { _ = apply(.notification(.notificationDismissed(shown.removeFirst())), at: now) }
        return arrival
    }

    /// Opens a notification if it is still shown; a process of the app takes the activation of its scene.
    ///
    /// - Returns: whether it was opened.
    mutating func open(_ notification: NotificationID, isAppRunning: Bool, at now: Timestamp) -> Bool {
        guard shown.contains(notification) else { return false }
        for case .scene(.sceneActivated(let opened)) in apply(.notification(.notificationOpened(notification)), at: now)
            .effects
        where isAppRunning {
            for activation in model.activations(of: opened.app) {
                _ = apply(.scene(.activationTaken(opened.app, number: activation.number)), at: now)
            }
        }
        return true
    }

    private mutating func apply(_ event: DeviceEvent, at now: Timestamp) -> DeviceReaction {
        journal?.append(JournalEntry(at: now, event: event))
        return model.apply(event, at: now)
    }
}
