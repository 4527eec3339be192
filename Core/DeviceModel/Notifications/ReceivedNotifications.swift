internal import FoundationEssentials
internal import PushRules
internal import WaypostSchema

/// A notification on a device: its content, its outcome, and the reasons.
struct ReceivedNotification: Sendable, Codable {
    /// The notification as the user sees it.
    var deviceNotification: DeviceNotification

    /// The app.
    let app: BundleIdentifier

    /// The payload that the provider sent, or that the app requested.
    let payload: JSONValue

    /// The payload as the app's service extension changed it; `nil` for none.
    var changedPayload: JSONValue?

    /// The communication that the app's service extension donated; `nil` for none.
    var communication: Communication?

    /// The identifier of notifications that replace each other; `nil` for none.
    let collapseID: CollapseIdentifier?

    /// The state of the app's service extension for the notification.
    var serviceExtension = PresentationRules.ExtensionState.notNeeded

    /// The push type; `nil` for `alert`.
    let pushType: PushType?

    /// The decision of the device, with the reasons.
    var decision: NotificationDecision

    /// The decision as if the app were in the background, until the app has answered `willPresent`.
    var decisionBeforeAnswer: NotificationDecision?

    /// Whether the notification is among those that the control API lists.
    var isListed = true

    /// The payload that decides what the user sees.
    var content: JSONValue {
        changedPayload ?? payload
    }

    init(_ notification: DeliveredNotification, of app: BundleIdentifier, at now: Timestamp) {
        deviceNotification = DeviceNotification(
            id: notification.id,
            topic: notification.topic,
            receivedAt: now,
            traceparent: notification.traceparent
        )
        self.app = app
        payload = notification.payload
        collapseID = notification.collapseID
        pushType = notification.pushType == .alert ? nil : notification.pushType
        decision = Self.initialDecision
    }

    /// Creates a notification that an app requests for itself.
    init(_ request: LocalNotificationRequest, id: NotificationID, of app: BundleIdentifier, at now: Timestamp) {
        deviceNotification = DeviceNotification(id: id, topic: Topic(rawValue: app.rawValue), receivedAt: now)
        deviceNotification.isLocal = true
        self.app = app
        payload = request.payload
        communication = request.communication.flatMap { $0.sender.isEmpty ? nil : $0 }
        // The collapse identifier of a push is the identifier of its request on the device.
        collapseID = CollapseIdentifier(rawValue: request.identifier)
        pushType = nil
        serviceExtension = .local
        decision = Self.initialDecision
    }

    private static let initialDecision = NotificationDecision(
        presentation: .nowhere,
        gates: [],
        explanation: "it is for the app, and shows nothing by itself"
    )

    /// The decision, with what is unusual in the payload if a provider sent it.
    var explainedDecision: NotificationDecision {
        guard deviceNotification.isLocal != true else { return decision }
        var decision = decision
        let context = PayloadCheck.Context(
            pushType: pushType ?? deviceNotification.topic.impliedPushType,
            topic: deviceNotification.topic,
            now: deviceNotification.receivedAt
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The payload is JSON, so it can be encoded.
        let bytes = (try? encoder.encode(payload)).map(Array.init) ?? []
        let findings = (try? PayloadCheck.findings(in: bytes, context).map(\.finding)) ?? []
        decision.findings = findings.isEmpty ? nil : findings
        return decision
    }

    /// Sets what the user sees of the content, and the decision.
    mutating func setContent(_ content: NotificationContent, decision: NotificationDecision) {
        deviceNotification.title = content.title ?? content.body
        deviceNotification.targetContentIdentifier = content.targetContentIdentifier
        deviceNotification.subtitle = content.subtitle
        deviceNotification.body = content.body
        deviceNotification.threadIdentifier = content.threadIdentifier
        deviceNotification.categoryIdentifier = content.categoryIdentifier
        deviceNotification.interruptionLevel = content.interruptionLevel == .active ? nil : content.interruptionLevel
        deviceNotification.relevanceScore = content.relevanceScore
        deviceNotification.launchImageName = content.launchImageName
        setDecision(decision)
    }

    /// Replaces the decision, except its parts about the app and a Live Activity.
    mutating func setDecision(_ decision: NotificationDecision) {
        deviceNotification.presentation = decision.presentation
        let (launch, liveActivity) = (self.decision.launch, self.decision.liveActivity)
        self.decision = decision
        self.decision.grouping =
            isListed ? deviceNotification.groupingSentence(in: decision.presentation, of: app) : nil
        self.decision.launch = launch
        self.decision.liveActivity = liveActivity
    }

    /// Returns the notification as its app receives it.
    func response(to action: String? = nil, _ text: String? = nil) -> NotificationResponse {
        NotificationResponse(id: deviceNotification.id, payload: content, actionIdentifier: action, userText: text)
    }
}

extension DeviceNotification {
    /// Returns a sentence about the group of the notification, or about its place in the summary.
    fileprivate func groupingSentence(
        in presentation: NotificationDecision.Presentation,
        of app: BundleIdentifier
    ) -> String? {
        switch presentation {
        case .immediate, .list:
            threadIdentifier.map { "it is in the group '\($0)' of \(app)" }
                ?? "it has no thread-id, and is in the group of \(app)"
        case .summary:
            "its relevance-score in the summary is \(relevanceScore.map { "\($0)" } ?? "0, because it has none")"
        case .pending, .nowhere: nil
        }
    }
}

/// The notifications on a device, each once, in the order of their arrival.
struct ReceivedNotifications: Sendable, Codable {
    /// The notifications that were not dismissed.
    private var received: [NotificationID: ReceivedNotification] = [:]

    /// The identifiers of all notifications that were delivered, also of dismissed ones.
    private var known: Set<NotificationID> = []

    /// The identifiers in the order of arrival, also some of dismissed notifications.
    private var order: [NotificationID] = []

    /// The newest pushes that the user never sees, the oldest first.
    private var unlisted: [NotificationID] = []

    /// The number of pushes that the user never sees whose explanations are kept.
    static let maximumUnlisted = 100

    /// The newest notification with each collapse identifier, by app; it may have been dismissed.
    private var collapsed: [BundleIdentifier: [CollapseIdentifier: NotificationID]] = [:]

    /// The notifications that the user can open, and has not dismissed.
    var listedNotifications: [DeviceNotification] {
        order.compactMap { id in received[id].flatMap { $0.isListed ? $0.deviceNotification : nil } }
    }

    /// The notifications that were not dismissed, also those that the user never sees.
    var all: [DeviceNotification] {
        order.compactMap { received[$0]?.deviceNotification }
    }

    /// Returns whether a notification was delivered before, even if it was dismissed since.
    func wasDelivered(_ id: NotificationID) -> Bool {
        known.contains(id)
    }

    /// Adds the identifiers of notifications that were delivered before.
    mutating func markAsDelivered(_ other: Self) {
        known.formUnion(other.known)
    }

    /// The notification with an identifier; `nil` if it is not there, or was dismissed.
    subscript(id: NotificationID) -> ReceivedNotification? {
        get { received[id] }
        set {
            guard received[id] != nil else { return }
            received[id] = newValue
        }
    }

    mutating func add(_ notification: ReceivedNotification) {
        let id = notification.deviceNotification.id
        known.insert(id)
        received[id] = notification
        order.append(id)
        if !notification.isListed {
            unlisted.append(id)
            if unlisted.count > Self.maximumUnlisted { _ = dismiss(unlisted.removeFirst()) }
        }
        // A push for a Live Activity or a call replaces nothing.
        if notification.isListed, let identifier = notification.collapseID {
            collapsed[notification.app, default: [:]][identifier] = id
        }
    }

    /// Removes and returns the notifications that were not dismissed; their order and identifiers stay.
    mutating func detachAll() -> [ReceivedNotification] {
        defer { received = [:] }
        return Array(received.values)
    }

    /// Adds notifications that were detached.
    mutating func attach(_ notifications: [ReceivedNotification]) {
        for notification in notifications { received[notification.deviceNotification.id] = notification }
    }

    /// Forgets the collapse identifiers of a removed app.
    mutating func forgetCollapseIdentifiers(of app: BundleIdentifier) {
        collapsed[app] = nil
    }

    /// Returns the notification of an app that one with the same collapse identifier replaces; `nil` for none.
    func notification(replacedBy identifier: CollapseIdentifier?, of app: BundleIdentifier) -> NotificationID? {
        guard let identifier, let id = collapsed[app]?[identifier], received[id] != nil else { return nil }
        return id
    }

    /// Dismisses the notifications of an app that arrived before one of them, except those that wait for its service
    /// extension.
    mutating func dismissNotifications(of app: BundleIdentifier, before id: NotificationID) {
        for olderID in order.prefix(while: { $0 != id }) {
            guard let notification = received[olderID], notification.app == app, notification.isListed else { continue }
            if notification.serviceExtension != .working { _ = dismiss(olderID) }
        }
    }

    /// Dismisses a notification, which is still recognized if it is delivered again.
    ///
    /// - Returns: the notification, or `nil` if it was not there.
    mutating func dismiss(_ id: NotificationID) -> ReceivedNotification? {
        guard let notification = received.removeValue(forKey: id) else { return nil }
        // Remove the dismissed ones only rarely, so that many dismissals take linear time.
        if order.count > 2 * received.count + 16 { order.removeAll { received[$0] == nil } }
        return notification
    }
}
