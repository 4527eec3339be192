internal import Highlights
internal import PredicateFormat
internal import PushRules
public import WaypostSchema

/// Notifications: what the device does with them, and why.
extension DeviceModel {
    /// Returns what the device did with a notification, and why.
    ///
    /// - Parameter id: the notification.
    /// - Returns: the decision; `nil` if the notification is not there, or was dismissed.
    public func decision(on id: NotificationID) -> NotificationDecision? {
        received[id]?.explainedDecision
    }

    /// All notifications that arrived and can be explained, in the order of their arrival, also those that the user
    /// never sees.
    public var explainedNotifications: [DeviceNotification] {
        received.all
    }

    /// Returns the number on the icon of an app; `nil` if it has no badge.
    public func badge(of app: BundleIdentifier) -> Int? {
        badges[app]
    }

    /// The notifications as the user sees them: in groups by app and thread, and in the summary that waits.
    ///
    /// - Complexity: O(n log n) for n notifications.
    public var notificationCenter: NotificationList {
        let newestFirst = Array(received.listedNotifications.reversed())
        let visibleNotifications = newestFirst.filter { $0.presentation == .immediate || $0.presentation == .list }
        let groups = Dictionary(grouping: visibleNotifications.enumerated(), by: { GroupKey($0.element) })
        let orderedGroups = groups.sorted { ($0.value.first?.offset ?? 0) < ($1.value.first?.offset ?? 0) }
        let summary = newestFirst.enumerated().filter { $0.element.presentation == .summary }.sorted { left, right in
            let scores = (left.element.relevanceScore ?? 0, right.element.relevanceScore ?? 0)
            return scores.0 == scores.1 ? left.offset < right.offset : scores.0 > scores.1
        }
        return NotificationList(
            groups: orderedGroups.map { key, notifications in
                NotificationGroup(
                    app: BundleIdentifier(rawValue: key.topic.rawValue),
                    threadIdentifier: key.thread,
                    notifications: notifications.map(\.element)
                )
            },
            summary: summary.map(\.element)
        )
    }

    mutating func handle(_ event: NotificationEvent, at now: Timestamp) throws(IgnoredEvent) -> [DeviceEffect] {
        switch event {
        case .notificationDelivered(let notification):
            switch notification.topic {
            case .messages: try applyMessagesEvent(in: notification)
            case .activities: try offerActivity(in: notification, at: now)
            default: receive(notification, at: now)
            }
        case .notificationOpened(let id): [try open(id, at: now)]
        case .notificationDismissed(let id): try dismiss(id, at: now)
        case .notificationActionChosen(let id, let action, let text): [try performAction(action, text, of: id, at: now)]
        case .appCallFinished(let app, let call, let result): try finish(call, of: app, with: result, at: now)
        case .liveActivityDismissed(let id): try dismissLiveActivity(id)
        case .localNotificationRequested(let app, let id, let request):
            try show(request, as: id, of: app, at: now)
        }
    }

    /// Applies the Messages event in a notification, unless it was applied before.
    private mutating func applyMessagesEvent(
        in notification: DeliveredNotification
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard messagesNotifications.insert(notification.id).inserted else {
            return [.notification(.repetitionIgnored(notification.id))]
        }
        return try applySharing(try MessagesPush.event(in: notification.payload))
    }

    /// Offers the user the activity of another device, unless it was offered before.
    private mutating func offerActivity(
        in notification: DeliveredNotification,
        at now: Timestamp
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let offer = try offered.readOffer(in: notification, at: now) else {
            return [.notification(.repetitionIgnored(notification.id))]
        }
        guard apps[offer.app] != nil else { throw .unknown(offer.app) }
        offered.add(offer)
        return [.scene(.activityOffered(offer))]
    }

    /// Applies a notification, unless it was applied before.
    private mutating func receive(_ notification: DeliveredNotification, at now: Timestamp) -> [DeviceEffect] {
        guard !received.wasDelivered(notification.id) else {
            return [.notification(.repetitionIgnored(notification.id))]
        }
        guard let target = pushTarget(for: notification.topic) else {
            return [.notification(.notificationDiscarded(notification.id, notification.topic))]
        }
        var newNotification = ReceivedNotification(notification, of: target.app, at: now)
        switch target.purpose {
        case .notification:
            newNotification.deviceNotification.replaced = received.notification(
                replacedBy: notification.collapseID,
                of: target.app
            )
            received.add(newNotification)
            return present(newNotification, at: now) + startApp(for: newNotification, at: now)
        case .liveActivity:
            newNotification.isListed = false
            received.add(newNotification)
            return applyLiveActivityPush(notification, of: target.app, at: now)
        case .incomingPush(let mode):
            newNotification.isListed = false
            received.add(newNotification)
            return receiveIncomingPush(notification, of: target.app, for: mode, at: now)
        case .receiver(let receiver):
            newNotification.isListed = false
            received.add(newNotification)
            return call(receiver, with: newNotification, at: now)
        }
    }

    /// Returns the app and the purpose of a push; `nil` if no app on the device accepts the topic.
    private func pushTarget(for topic: Topic) -> PushTarget? {
        let app = BundleIdentifier(rawValue: topic.rawValue)
        guard apps[app] == nil else { return PushTarget(app: app, purpose: .notification) }
        return apps.values.lazy.compactMap { $0.description.pushTarget(for: topic) }.first
    }

    /// Calls the app's service extension if the notification needs it, or decides at once.
    private mutating func present(_ newNotification: ReceivedNotification, at now: Timestamp) -> [DeviceEffect] {
        let description = apps[newNotification.app]?.description
        let content = content(of: newNotification)
        let settings = description?.notificationSettings ?? NotificationSettings()
        let isAllowed = settings.allowsNotifications && settings.alertSetting
        guard description?.notificationServiceExtension == true, content.isMutable, content.hasAlert, isAllowed else {
            return show(newNotification.deviceNotification.id, at: now)
        }
        received[newNotification.deviceNotification.id]?.serviceExtension = .working
        let decision = decision(on: content, of: newNotification.app, .working)
            .applyingForegroundGate(.background, of: newNotification.app)
        received[newNotification.deviceNotification.id]?.setContent(content, decision: decision)
        return [call(.didReceiveRequest, of: newNotification.app, newNotification.response(), at: now)]
    }

    /// Shows a notification that an app requested for itself; it replaces one with the same identifier.
    private mutating func show(
        _ request: LocalNotificationRequest,
        as id: NotificationID,
        of app: BundleIdentifier,
        at now: Timestamp
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard apps[app] != nil else { throw .unknown(app) }
        guard !received.wasDelivered(id) else { return [.notification(.repetitionIgnored(id))] }
        var notification = ReceivedNotification(request, id: id, of: app, at: now)
        notification.deviceNotification.replaced = received.notification(
            replacedBy: notification.collapseID,
            of: app
        )
        received.add(notification)
        return show(id, at: now)
    }

    /// Shows a notification whose content is final, and asks its app if that is in the foreground.
    private mutating func show(_ id: NotificationID, at now: Timestamp) -> [DeviceEffect] {
        guard let notification = received[id], let installed = apps[notification.app] else { return [] }
        dismissNotifications(replacedBy: notification)
        let (app, content) = (notification.app, content(of: notification))
        let sender = sender(of: notification)
        let backgroundDecision = decision(on: content, of: app, notification.serviceExtension, from: sender)
        let isAllowed = backgroundDecision.gates.contains { $0.gate == .authorization && $0.status == .pass }
        let state = isAllowed ? foregroundState(of: installed) : .background
        let decision = backgroundDecision.applyingForegroundGate(state, of: app)
        received[id]?.decisionBeforeAnswer = state.isAsked ? backgroundDecision : nil
        received[id]?.setContent(content, decision: decision)
        received[id]?.deviceNotification.sender = sender?.contact?.id
        applyBadge(decision.badge, of: app, from: id)
        guard let deviceNotification = received[id]?.deviceNotification else { return [] }
        let effects = [DeviceEffect.notification(.notificationPosted(deviceNotification))]
        return state.isAsked ? effects + [call(.willPresent, of: app, notification.response(), at: now)] : effects
    }

    /// Returns the state of an app when one of its notifications arrives.
    private func foregroundState(of app: InstalledApp) -> ForegroundState {
        guard isInForeground(app) else { return .background }
        let description = app.description
        if let options = description.foregroundPresentation { return .presents(Set(options)) }
        return description.callbacks?.notificationCenter?.setIn == .never ? .hasNoDelegate : .presents([])
    }

    /// Removes the notifications that one replaces, also those that waited to replace others.
    private mutating func dismissNotifications(replacedBy notification: ReceivedNotification) {
        var replacedID = notification.deviceNotification.replaced
        while let id = replacedID { replacedID = received.dismiss(id)?.deviceNotification.replaced }
    }

    /// Decides what the user sees and hears of a notification if its app is not in the foreground.
    func decision(
        on content: NotificationContent,
        of app: BundleIdentifier,
        _ serviceExtension: PresentationRules.ExtensionState,
        from sender: NotificationSender? = nil
    ) -> NotificationDecision {
        PresentationRules(
            content: content,
            app: app,
            settings: apps[app]?.notificationSettings ?? NotificationSettings(),
            focus: focus,
            soundFiles: apps[app]?.description.sounds,
            isMuted: isMuted,
            hasServiceExtension: apps[app]?.description.notificationServiceExtension ?? false,
            serviceExtension: serviceExtension,
            sender: sender
        ).decision
    }

    /// Sets the badge of a notification; 0 may also clear the older notifications of its app.
    private mutating func applyBadge(_ badge: Int?, of app: BundleIdentifier, from id: NotificationID) {
        guard let badge else { return }
        badges[app] = badge == 0 ? nil : badge
        if badge == 0, badgeZeroClears { received.dismissNotifications(of: app, before: id) }
    }

    func content(of notification: ReceivedNotification) -> NotificationContent {
        let strings = Self.strings(of: apps[notification.app]?.description, in: language)
        let content = NotificationContent(
            payload: notification.content,
            strings: strings,
            isLiveActivity: notification.decision.liveActivity != nil
        )
        guard let communication = notification.communication, let sender = sender(of: notification) else {
            return content
        }
        return content.updating(from: communication, sender: sender.name)
    }

    /// Returns the sender of a communication notification; `nil` for any other.
    func sender(of notification: ReceivedNotification) -> NotificationSender? {
        notification.communication.map { NotificationSender($0.sender, in: sharing, language: traits.language) }
    }

    // MARK: The app's answers

    /// Applies the end of a call: the app's result, or `nil` if its time is over.
    mutating func end(
        _ call: AppCall,
        of app: BundleIdentifier,
        with result: AppCallResult?,
        at now: Timestamp
    ) -> [DeviceEffect] {
        let id = call.notification.id
        switch call.function {
        case .willPresent:
            defer { received[id]?.decisionBeforeAnswer = nil }
            return result?.presentationOptions.map { applyPresentationOptions($0, to: id, of: app) } ?? []
        case .didReceiveRequest:
            applyExtensionResult(result, for: id)
            return show(id, at: now)
        case .didReceiveRemoteNotification:
            if let result { received[id]?.decision.launch?.fetchResult = result.fetchResult ?? .noData }
            return []
        case .didReceiveIncomingPush: return endIncomingPush(call, of: app, with: result)
        case .didReceiveResponse, .didReceiveLocationPush, .enumerateChanges, .reloadTimelines, .reloadControl:
            return []
        }
    }

    /// Presents the parts that the app names; the rest of the decision stays that of the arrival.
    private mutating func applyPresentationOptions(
        _ options: [PresentationOption],
        to id: NotificationID,
        of app: BundleIdentifier
    ) -> [DeviceEffect] {
        guard let previous = received[id], let backgroundDecision = previous.decisionBeforeAnswer else { return [] }
        let decision = backgroundDecision.applyingForegroundGate(.presents(Set(options)), of: app)
        received[id]?.setDecision(decision)
        // A badge that was set at the arrival may have been changed by a newer notification.
        if previous.decision.badge == nil { applyBadge(decision.badge, of: app, from: id) }
        return received[id].map { [.notification(.notificationUpdated($0.deviceNotification))] } ?? []
    }

    /// Applies the payload and the communication of a service extension; if the payload has no alert, nothing changes.
    private mutating func applyExtensionResult(_ result: AppCallResult?, for id: NotificationID) {
        guard let result else {
            received[id]?.serviceExtension = .expired
            return
        }
        guard result.payload.map({ NotificationContent(payload: $0).hasAlert }) ?? true else {
            received[id]?.serviceExtension = .empty
            return
        }
        let communication = result.communication.flatMap { $0.sender.isEmpty ? nil : $0 }
        let isUnchanged = result.payload == nil && communication == nil
        received[id]?.serviceExtension = isUnchanged ? .unchanged : .finished
        received[id]?.changedPayload = result.payload
        received[id]?.communication = communication
    }

    // MARK: The user's settings

    /// Turns a Focus on, or the current one off.
    ///
    /// - Throws: `DescriptionError.unusableFilter` if a filter is not a predicate.
    mutating func applyFocus(_ focus: Focus?) throws(DescriptionError) {
        for (app, format) in (focus?.notificationFilters ?? [:]).sorted(by: { $0.key < $1.key }) {
            do throws(ContentPredicateError) {
                _ = try ContentPredicate(format: format)
            } catch {
                throw .unusableFilter(app, "offset \(error.offset): \(error.message)")
            }
        }
        self.focus = focus
    }

    /// Turns a Focus on, or the current one off, as an event says.
    mutating func set(_ focus: Focus?) throws(IgnoredEvent) {
        do throws(DescriptionError) {
            try applyFocus(focus)
        } catch {
            throw IgnoredEvent(reason: .unusableCondition, explanation: "\(error)")
        }
    }

    /// Changes the user's settings for the notifications of an app.
    mutating func set(_ settings: NotificationSettings, of app: BundleIdentifier) throws(IgnoredEvent) {
        guard apps[app] != nil else { throw .unknown(app) }
        apps[app]?.notificationSettings = settings
    }

    /// Returns the strings of an app in a language.
    ///
    /// A string that the language does not have comes from a more general tag, such as `zh-Hant` for `zh-Hant-TW`, or
    /// else from English.
    private static func strings(of app: AppDescription?, in language: String) -> [String: String] {
        guard let localizedStrings = app?.localizedStrings else { return [:] }
        var strings = localizedStrings["en"] ?? [:]
        var tag = ""
        for part in language.split(separator: "-") {
            tag += tag.isEmpty ? part : "-\(part)"
            strings.merge(localizedStrings[tag] ?? [:]) { $1 }
        }
        return strings
    }
}

/// The app and the thread that the notifications of a group have in common.
private struct GroupKey: Hashable {
    let topic: Topic
    let thread: String?

    init(_ notification: DeviceNotification) {
        (topic, thread) = (notification.topic, notification.threadIdentifier)
    }
}

/// The app and the purpose of a push, from its topic.
private struct PushTarget {
    enum Purpose {
        case notification
        case liveActivity
        case incomingPush(BackgroundMode)
        case receiver(PushReceiver)
    }

    let app: BundleIdentifier
    let purpose: Purpose
}

extension AppDescription {
    /// The topics of the app with a suffix, for the push types that it accepts.
    fileprivate var suffixedTopics: [(Topic, PushTarget.Purpose)] {
        PushTypeContract.all.compactMap { row in
            guard let suffix = row.topicSuffix, let purpose = purpose(of: row) else { return nil }
            return (Topic(rawValue: bundleIdentifier.rawValue + suffix), purpose)
        }
    }

    /// Returns the purpose of the pushes of a type; `nil` if the app does not accept them.
    private func purpose(of row: PushTypeContract) -> PushTarget.Purpose? {
        if row.pushType == "liveactivity" { return supportsLiveActivities == true ? .liveActivity : nil }
        if let receiver = pushReceivers?.first(where: { $0.pushType == row.pushType }) { return .receiver(receiver) }
        guard let mode = row.backgroundMode, backgroundModes?.contains(mode) == true else { return nil }
        return .incomingPush(mode)
    }

    /// Returns the purpose of a push to a topic with a suffix; `nil` if the app does not accept it.
    fileprivate func pushTarget(for topic: Topic) -> PushTarget? {
        suffixedTopics.first { $0.0 == topic }.map { PushTarget(app: bundleIdentifier, purpose: $0.1) }
    }

    /// The topics for which the app accepts notifications.
    var topics: [Topic] {
        [Topic(rawValue: bundleIdentifier.rawValue)] + suffixedTopics.map(\.0)
    }
}
