internal import DeviceModel
internal import WaypostSchema

/// A device of a fleet: its model, and the notifications that it shows.
struct FleetDevice {
    /// The result of the arrival of a notification.
    enum DeliveryResult {
        case first
        case repeated
        case discarded
    }

    let token: DeviceToken
    private(set) var model: DeviceModel

    /// The events, if they are recorded.
    private(set) var journal: [JournalEntry]?

    /// The notifications that the device shows, the oldest first.
    private var visibleNotifications: [NotificationID] = []

    init(_ description: DeviceDescription, token: DeviceToken, isRecorded: Bool, at now: Timestamp) {
        self.token = token
        model = DeviceModel()
        if isRecorded { journal = [] }
        _ = apply(.system(.deviceDescribed(description)), at: now)
    }

    /// Applies a notification, and dismisses the oldest ones beyond the limit.
    mutating func receive(
        _ notification: DeliveredNotification,
        keeping limit: Int,
        at now: Timestamp
    ) -> DeliveryResult {
        var result = DeliveryResult.first
        for effect in apply(.notification(.notificationDelivered(notification)), at: now).effects {
            switch effect {
            case .notification(.repetitionIgnored): result = .repeated
            case .notification(.notificationDiscarded): result = .discarded
            case .notification(.notificationPosted(let posted)):
                if let replaced = posted.replaced { visibleNotifications.removeAll { $0 == replaced } }
                visibleNotifications.append(posted.id)
            default: break
            }
        }
        while visibleNotifications.count > limit {
            _ = apply(.notification(.notificationDismissed(visibleNotifications.removeFirst())), at: now)
        }
        return result
    }

    /// Opens a notification if the device still shows it; a process of the app takes the activation of its scene.
    ///
    /// - Returns: whether it was opened.
    mutating func open(_ notification: NotificationID, isAppRunning: Bool, at now: Timestamp) -> Bool {
        guard visibleNotifications.contains(notification) else { return false }
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
