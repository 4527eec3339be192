package import PushRules
package import WaypostSchema

/// The device of a notification as the store knows it: the input of the decision about the notification.
package struct Recipient: Sendable, Equatable {
    /// The device's number in its namespace.
    package var device: Int

    /// The number of its agent.
    package var agent: Int

    /// The topics that the device accepts.
    package var topics: Set<Topic>

    /// The standing of the token.
    package var standing: TokenStanding

    /// The time from which the standing holds.
    package var standingChangedAt: Timestamp

    /// Whether Low Power Mode is on.
    package var isLowPowerModeEnabled: Bool

    /// Whether its agent has a session.
    package var isConnected: Bool

    /// The environments of its tokens.
    package var environments: DeviceEnvironments

    /// The purpose of the token; `nil` if it is for all notifications of all its topics.
    package var purpose: TokenPurpose?

    /// Creates the value from its parts.
    package init(
        device: Int,
        agent: Int,
        topics: Set<Topic>,
        standing: TokenStanding = .active,
        standingChangedAt: Timestamp = Timestamp(milliseconds: 0),
        isLowPowerModeEnabled: Bool = false,
        isConnected: Bool = false,
        environments: DeviceEnvironments = DeviceEnvironments(),
        purpose: TokenPurpose? = nil
    ) {
        self.device = device
        self.agent = agent
        self.topics = topics
        self.standing = standing
        self.standingChangedAt = standingChangedAt
        self.isLowPowerModeEnabled = isLowPowerModeEnabled
        self.isConnected = isConnected
        self.environments = environments
        self.purpose = purpose
    }

    /// Returns the reason why the device does not accept a notification at a time; `nil` if it does.
    package func refusal(of notification: NewNotification, at now: Timestamp) -> StoreRefusal? {
        // A token of the other environment is unknown there, whatever its standing.
        if let environment = environment(refusing: notification) { return .wrongEnvironment(of: environment) }
        let currentStanding: TokenStanding = isUnregisteredAfter(now) ? .active : standing
        return switch currentStanding {
        case .wrongEnvironment: .wrongEnvironment(of: nil)
        case .unregistered: .unregistered(since: standingChangedAt)
        case .expired: .expired(since: standingChangedAt)
        // A message to a channel needs no token for its topic.
        case .active where !notification.isBroadcast && !topics.contains(notification.topic):
            purpose.map(StoreRefusal.wrongPurpose) ?? .wrongTopic(registered: topics)
        case .active: topicOwner(refusing: notification).map(StoreRefusal.wrongPushType)
        }
    }

    /// Whether the app was deleted, but its senders are not told before a time later than `now`.
    fileprivate func isUnregisteredAfter(_ now: Timestamp) -> Bool {
        standing.isUnregistered(after: now, since: standingChangedAt)
    }

    /// Returns the environment of the token if a notification was sent to the other one.
    private func environment(refusing notification: NewNotification) -> PushEnvironment? {
        guard let sent = notification.environment else { return nil }
        return environments.environment(of: notification.topic).flatMap { $0 == sent ? nil : $0 }
    }

    /// Returns the push type to which the topic of a notification belongs if another one is refused there.
    ///
    /// The bundle identifier of an app may end like the topic of a push type, so the device must have the app, too, or
    /// the token must be for that push type.
    private func topicOwner(refusing notification: NewNotification) -> PushType? {
        guard !notification.isPushTypeAssumed, let (base, contract) = notification.topic.split,
            contract.pushType != notification.pushType,
            notification.isStrict || contract.otherPushType.justifiesRefusal,
            topics.contains(base) || purpose?.app.rawValue == base.rawValue
        else { return nil }
        return contract.pushType
    }

    /// The connection state and the power state of the device.
    fileprivate var reachability: DeviceReachability {
        DeviceReachability(isConnected: isConnected, isLowPowerModeEnabled: isLowPowerModeEnabled)
    }
}

/// The decisions about a batch: the fate of each notification, and so the rows to write.
///
/// It is the only place for the rules of an append. An engine reads the recipients, creates the plan, and writes it.
package struct BatchPlan: Sendable, Equatable {
    /// The inbox that a notification enters, and how it is stored there.
    package struct InboxPlacement: Sendable, Equatable {
        /// The number of the device.
        package var device: Int

        /// The number of its agent.
        package var agent: Int

        /// The slot; an earlier notification in it is collapsed.
        package var slot: CollapseSlot?

        /// Whether the notification gets its slot only when the session of its reachable device ends.
        package var isSlotDeferred: Bool

        /// When it expires, in seconds since 1970.
        package var deadline: Int?

        /// Creates the value from its parts.
        package init(
            device: Int,
            agent: Int,
            slot: CollapseSlot? = nil,
            isSlotDeferred: Bool = false,
            deadline: Int? = nil
        ) {
            self.device = device
            self.agent = agent
            self.slot = slot
            self.isSlotDeferred = isSlotDeferred
            self.deadline = deadline
        }
    }

    /// The fate of a notification.
    package enum Fate: Sendable, Equatable {
        /// It is refused.
        case refused(StoreRefusal)

        /// It enters an inbox; if it is delivered, it also goes to the agent's stream.
        case stored(InboxPlacement, isDelivered: Bool)

        /// It would enter an inbox, but a later notification of the batch takes its slot.
        case collapsed(InboxPlacement)

        /// It is transient, and goes to the stream of the agent with this number.
        case sent(agent: Int)

        /// It reaches a final state at once: dropped or expired.
        case ended(DeliveryState)
    }

    /// The fate of each notification, in order.
    package private(set) var fates: [Fate] = []

    /// The findings that follow from the devices, by the index of the accepted notification.
    package private(set) var findings: [Int: [NotificationFinding]] = [:]

    /// For each notification, the distance of its sequence from the first one of the batch; `nil` if it needs none.
    package private(set) var sequenceOffsets: [Int?] = []

    /// The number of sequences that the batch needs.
    ///
    /// If a log is kept, every item has a sequence, and the rejected items have the last ones.
    package private(set) var sequenceCount = 0

    /// The number of notifications in each state once the batch is stored, for the counts of the batch.
    package private(set) var countsByState: [DeliveryState: Int] = [:]

    /// The number of items that are not accepted.
    package let rejectedCount: Int

    /// Whether nothing is stored, not even the refusals.
    ///
    /// That is so if all items must be accepted and some are not, or if the batch would create its namespace for
    /// refusals alone.
    package let isBatchRefused: Bool

    private let keepsLog: Bool

    /// Decides about a batch.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - recipients: for each notification, the device with its token; `nil` if there is none.
    ///   - modes: the storage modes of the apps for which one was set.
    ///   - createsNamespace: whether the store has to create the namespace of the batch, which has no devices then.
    ///   - keepsLog: whether the store keeps a log.
    ///   - now: the current time.
    /// - Complexity: O(n) for n items.
    package init(
        _ batch: NewBatch,
        for recipients: [Recipient?],
        modes: [Topic: StorageMode],
        createsNamespace: Bool = false,
        keepsLog: Bool,
        at now: Timestamp
    ) {
        fates = zip(batch.notifications, recipients).map { notification, recipient in
            let policy = StoragePolicy(modes[notification.topic] ?? .lossless, for: notification.topic)
            return Self.fate(of: notification, for: recipient, policy, at: now)
        }
        rejectedCount = batch.rejections.count + fates.count { if case .refused = $0 { true } else { false } }
        // Otherwise anybody who may send could fill the list of namespaces. The log of the standard namespace helps with
        // the first mistakes.
        let mayStoreRefusals = !createsNamespace || batch.namespace == .standard
        isBatchRefused = rejectedCount > 0 && (batch.isAtomic || !mayStoreRefusals)
        self.keepsLog = keepsLog
        collapse(batch.notifications)
        addFindings(batch.notifications, recipients)
        countStates()
        assignOffsets(rejectionCount: batch.rejections.count)
    }

    private static func fate(
        of notification: NewNotification,
        for recipient: Recipient?,
        _ policy: StoragePolicy,
        at now: Timestamp
    ) -> Fate {
        guard let recipient else { return .refused(.unknownToken) }
        if let refusal = recipient.refusal(of: notification, at: now) { return .refused(refusal) }
        if recipient.isUnregisteredAfter(now) { return .ended(.dropped) }
        switch policy.decision(on: notification.traits, for: recipient.reachability, now: now) {
        case .store(let slot, let deadline):
            let placement = InboxPlacement(
                device: recipient.device,
                agent: recipient.agent,
                slot: slot,
                // A notification without a slot in this mode gets the topic's slot when the session ends.
                isSlotDeferred: slot == nil && policy.mode == .apns,
                deadline: deadline
            )
            return .stored(placement, isDelivered: recipient.reachability.canReceive(priority: notification.priority))
        case .send: return .sent(agent: recipient.agent)
        case .drop: return .ended(.dropped)
        case .expire: return .ended(.expired)
        }
    }

    /// A slot of a device, in a batch.
    private struct SlotKey: Hashable {
        var device: Int
        var topic: Topic
        var slot: CollapseSlot
    }

    /// Leaves only the last notification of the batch in each slot.
    private mutating func collapse(_ notifications: [NewNotification]) {
        var indexes: [SlotKey: Int] = [:]
        for index in fates.indices {
            guard case .stored(let placement, _) = fates[index], let slot = placement.slot else { continue }
            let key = SlotKey(device: placement.device, topic: notifications[index].topic, slot: slot)
            guard let previous = indexes.updateValue(index, forKey: key) else { continue }
            guard case .stored(let placement, _) = fates[previous] else { continue }
            fates[previous] = .collapsed(placement)
        }
    }

    private mutating func addFindings(_ notifications: [NewNotification], _ recipients: [Recipient?]) {
        for (index, fate) in fates.enumerated() {
            // Alerts, of which there are most, have no finding, and their recipients need not be read.
            let isAlert = notifications[index].pushType == .alert && !notifications[index].isPushTypeAssumed
            if isAlert { continue }
            if case .refused = fate { continue }
            let found = recipients[index]?.findings(about: notifications[index]) ?? []
            if !found.isEmpty { findings[index] = found }
        }
    }

    /// Returns the batch with the findings of the plan, as it is to be stored.
    package func annotate(_ batch: NewBatch) -> NewBatch {
        var batch = batch
        for (index, found) in findings { batch.notifications[index].findings += found }
        return batch
    }

    private mutating func countStates() {
        for fate in fates {
            switch fate {
            case .refused: break
            case .stored: countsByState[.stored, default: 0] += 1
            case .collapsed: countsByState[.collapsed, default: 0] += 1
            case .sent: countsByState[.accepted, default: 0] += 1
            case .ended(let state): countsByState[state, default: 0] += 1
            }
        }
    }

    private mutating func assignOffsets(rejectionCount: Int) {
        guard !keepsLog else {
            sequenceOffsets = Array(fates.indices)
            sequenceCount = fates.count + rejectionCount
            return
        }
        for fate in fates {
            switch fate {
            case .refused, .ended: sequenceOffsets.append(nil)
            case .stored, .collapsed, .sent:
                sequenceOffsets.append(sequenceCount)
                sequenceCount += 1
            }
        }
    }

    /// Returns the sequence of the notification at `index`; meaningless if it needs none.
    package func sequence(of index: Int, from firstSequence: Int) -> Int {
        firstSequence + (sequenceOffsets[index] ?? 0)
    }

    /// For each notification in order, the reason for its refusal, or `nil`.
    package var refusals: [StoreRefusal?] {
        fates.map { if case .refused(let refusal) = $0 { refusal } else { nil } }
    }
}

extension BatchPlan {
    /// Returns the stored batch.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - number: the number that the engine has given it.
    ///   - firstSequence: the first of the sequences that the engine has drawn for it.
    ///   - removals: the notifications that left inboxes because those of the batch took their slots.
    /// - Returns: the batch, with payloads for all deliveries.
    package func appendedBatch(
        _ batch: NewBatch,
        as number: BatchNumber,
        from firstSequence: Int,
        removals: [StoreChanges.Removal]
    ) -> AppendedBatch {
        var changes = StoreChanges(removals: removals)
        var countsByState = self.countsByState
        var deliveries: [StreamDelivery] = []
        for (index, fate) in fates.enumerated() {
            let sequence = sequence(of: index, from: firstSequence)
            func deliver(to agent: Int) {
                let stored = StoredNotification(
                    sequence: sequence,
                    batch: number,
                    notification: batch.notifications[index]
                )
                let agent = AgentID(namespace: batch.namespace, number: agent)
                deliveries.append(StreamDelivery(agent: agent, notification: stored))
            }
            switch fate {
            case .stored(let placement, isDelivered: true): deliver(to: placement.agent)
            case .sent(let agent): deliver(to: agent)
            case .collapsed(let placement):
                let agent = AgentID(namespace: batch.namespace, number: placement.agent)
                changes.removals.append(
                    StoreChanges.Removal(agent: agent, sequence: sequence, batch: number, state: .collapsed)
                )
                // It was stored first.
                countsByState[.collapsed] = nil
                countsByState[.stored, default: 0] += 1
            case .ended: changes.batches.insert(number)
            case .refused, .stored: break
            }
        }
        return AppendedBatch(
            number: number,
            refusals: refusals,
            deliveries: deliveries,
            logSequences: keepsLog && sequenceCount > 0 ? firstSequence...(firstSequence + sequenceCount - 1) : nil,
            countsByState: countsByState,
            changes: changes
        )
    }
}

extension BatchPlan.Fate {
    /// The state that the notification is put into at once.
    package var state: DeliveryState {
        switch self {
        case .refused: .rejected
        case .stored: .stored
        case .collapsed: .collapsed
        case .sent: .accepted
        case .ended(let state): state
        }
    }

    /// Returns the reason for the rejection of the notification, if it is refused.
    package func rejection(of notification: NewNotification) -> Rejection? {
        if case .refused(let refusal) = self { refusal.rejection(of: notification) } else { nil }
    }
}
