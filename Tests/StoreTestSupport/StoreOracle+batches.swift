import GatewayStore
import PushRules
import WaypostSchema

/// Predictions for appended batches.
extension StoreOracle {
    /// The expected outcome of a batch.
    enum Outcome {
        case duplicate(KeyedBatch)
        case refused([StoreRefusal?])
        case appended(refusals: [StoreRefusal?], deliveries: [Item], Expectation)
    }

    /// Appends a batch, which gets `number` if it is accepted.
    mutating func append(
        _ batch: NewBatch,
        as number: BatchNumber,
        logged: ClosedRange<Int>?,
        at now: Timestamp
    ) -> Outcome {
        if let known = keyed(batch.key?.key, in: batch.namespace, at: now) { return .duplicate(known) }
        let refusals = batch.notifications.map { refusal(of: $0, in: batch.namespace, at: now) }
        let rejected = batch.rejections.count + refusals.count { $0 != nil }
        let isNew = batch.namespace != .standard && !namespaces.contains(batch.namespace)
        if rejected > 0 && (batch.isAtomic || isNew) { return .refused(refusals) }
        namespaces.insert(batch.namespace)
        batches[number] = Batch(
            namespace: batch.namespace,
            id: batch.id,
            created: now,
            accepted: refusals.count { $0 == nil },
            rejected: rejected,
            record: batch.encodeAnswer?(refusals)
        )
        ids[number] = Place(batch.namespace, batch.id)
        touched.insert(number)
        if let key = batch.key {
            keys[Place(batch.namespace, key.key)] = Key(fingerprint: key.fingerprint, batch: number, created: now)
        }
        var (deliveries, expected) = ([Item](), Expectation())
        var sequence = logged?.lowerBound ?? 0
        for (notification, refusal) in zip(batch.notifications, refusals) {
            if let refusal {
                reject(LogSubject(notification), refusal.rejection(of: notification), of: batch, sequence, now)
            } else {
                accept(notification, sequence, of: batch, number, now, &deliveries, &expected)
            }
            sequence += 1
        }
        for item in batch.rejections {
            reject(item.subject, item.rejection, of: batch, sequence, now)
            sequence += 1
        }
        let departed = Set(expected.removals.map(\.item.rank))
        deliveries.removeAll { departed.contains($0.rank) }
        return .appended(refusals: refusals, deliveries: deliveries, expected)
    }

    private mutating func reject(
        _ subject: LogSubject,
        _ rejection: Rejection,
        of batch: NewBatch,
        _ sequence: Int,
        _ now: Timestamp
    ) {
        note(subject, of: batch, as: .rejected, rejection, sequence: sequence, at: now)
    }

    /// Returns the batch that was sent with a key in the last 24 hours.
    func keyed(_ key: String?, in namespace: Namespace, at now: Timestamp) -> KeyedBatch? {
        guard let key, let known = keys[Place(namespace, key)], let record = record(of: known.batch),
            !known.created.isOlder(than: 86_400_000, at: now)
        else { return nil }
        return KeyedBatch(fingerprint: known.fingerprint, batch: record)
    }

    private func refusal(
        of notification: NewNotification,
        in namespace: Namespace,
        at now: Timestamp
    ) -> StoreRefusal? {
        guard let device = devices[Place(namespace, notification.token)] else { return .unknownToken }
        let name = notification.topic.rawValue
        let app = name.hasSuffix(".voip") ? String(name.dropLast(5)) : name
        let own = device.environments.apps[app] ?? device.environments.device
        if let own, let sent = notification.environment, own != sent { return .wrongEnvironment(of: own) }
        return switch device.standing {
        case .active: Self.refusal(of: notification, to: device)
        case .unregistered where device.since > now: Self.refusal(of: notification, to: device)
        case .unregistered: .unregistered(since: device.since)
        case .expired: .expired(since: device.since)
        case .wrongEnvironment: .wrongEnvironment(of: nil)
        }
    }

    /// Returns the refusal of a notification for an active device.
    private static func refusal(of notification: NewNotification, to device: Device) -> StoreRefusal? {
        let (topic, voip) = (notification.topic.rawValue, ".voip")
        let app = topic.hasSuffix(voip) ? String(topic.dropLast(voip.count)) : topic
        guard notification.isBroadcast || device.topics.contains(notification.topic) else {
            return device.purpose.map(StoreRefusal.wrongPurpose) ?? .wrongTopic(registered: device.topics)
        }
        let hasApp = device.topics.contains(Topic(rawValue: app)) || device.purpose?.app.rawValue == app
        let isOfApp = app != topic && hasApp
        let isOther = notification.pushType != "voip" && !notification.isPushTypeAssumed
        return isOfApp && isOther ? .wrongPushType(topicOf: "voip") : nil
    }

    /// Returns the finding about a token for several topics, for the topics of calls.
    private static func findings(about notification: NewNotification, to device: Device) -> [NotificationFinding] {
        let topic = notification.topic
        let isCall = notification.pushType == "voip" || notification.isPushTypeAssumed
        let isShared = !device.topics.subtracting([topic, .messages, .activities]).isEmpty
        guard topic.rawValue.hasSuffix(".voip"), isCall, isShared, device.purpose == nil else { return [] }
        let message = "a real device has a token of its own for \(topic); this one is for other topics, too"
        return [NotificationFinding(code: .sharedToken, severity: .note, message: message)]
    }

    private mutating func accept(
        _ notification: NewNotification,
        _ sequence: Int,
        of batch: NewBatch,
        _ number: BatchNumber,
        _ now: Timestamp,
        _ deliveries: inout [Item],
        _ expected: inout Expectation
    ) {
        guard let device = devices[Place(batch.namespace, notification.token)] else { return }
        var notification = notification
        notification.findings += Self.findings(about: notification, to: device)
        let isHeld = device.isLowPowerModeEnabled && notification.priority < 10
        let isReachable = sessions[device.agent] != nil && !isHeld
        let isAPNs = storage[Place(batch.namespace, notification.topic)] == .apns
        var item = Item(
            rank: nextRank,
            sequence: sequence,
            agent: device.agent,
            batch: number,
            notification: notification
        )
        item.deadline = isAPNs ? min(notification.expiration ?? .max, now.seconds + 2_592_000) : notification.expiration
        if isAPNs && !isReachable { item.slot = .topic }
        if let collapseID = notification.collapseID, !isAPNs { item.slot = .identifier(collapseID) }
        // It is accepted only if it was unregistered from a later time on.
        let isGone = device.standing == .unregistered
        let state = isGone ? .dropped : state(of: item, isReachable: isReachable, now)
        if state == .stored {
            expected.removals += collapse(by: item).removals
            stored.append(item)
        }
        batches[number]?.states[state, default: 0] += 1
        note(LogSubject(notification), of: batch, as: state, sequence: sequence, at: now)
        guard state == .stored || state == .accepted else {
            expected.batches.insert(number)
            return
        }
        if isReachable { deliveries.append(item) }
        if state == .accepted { transients[sequence] = batch.namespace }
        nextRank += 1
    }

    private func state(of item: Item, isReachable: Bool, _ now: Timestamp) -> DeliveryState {
        if item.notification.expiration == 0 { return isReachable ? .accepted : .dropped }
        if let deadline = item.deadline, deadline <= now.seconds { return .expired }
        return .stored
    }

    private mutating func collapse(by item: Item) -> Expectation {
        guard item.slot != nil else { return Expectation() }
        return settle(as: .collapsed) {
            $0.agent == item.agent && $0.notification.token == item.notification.token
                && $0.notification.topic == item.notification.topic && $0.slot == item.slot
        }
    }
}
