public import WaypostSchema

/// The rules for storing an app's notifications for a device that cannot receive them at once.
///
/// `lossless` is a queue per device, in which a notification replaces the one with the same collapse identifier. `apns`
/// is what Apple documents ("Viewing the status of push notifications using Metrics and APNs"): an unreachable device
/// has one stored notification per topic, the newest, for at most 30 days. Messages events are always lossless.
public struct StoragePolicy: Sendable, Equatable {
    /// The maximum time for which APNs stores a notification, in seconds: 30 days.
    public static let maximumStorageSeconds = 30 * 24 * 60 * 60

    /// The storage mode in use.
    public let mode: StorageMode

    /// Creates the policy of `topic` with the chosen `mode`; `lossless` if the topic does not allow it.
    public init(_ mode: StorageMode, for topic: Topic) {
        self.mode = Self.canChoose(mode, for: topic) ? mode : .lossless
    }

    /// Returns whether `mode` can be chosen for `topic`.
    public static func canChoose(_ mode: StorageMode, for topic: Topic) -> Bool {
        mode == .lossless || topic != .messages
    }

    /// Returns what to do with a notification that was just accepted.
    ///
    /// - Parameters:
    ///   - notification: the properties that the decision depends on.
    ///   - device: the reachability of its device.
    ///   - now: the current time.
    /// - Returns: the decision.
    public func decision(
        on notification: NotificationTraits,
        for device: DeviceReachability,
        now: Timestamp
    ) -> ArrivalDecision {
        let isReachable = device.canReceive(priority: notification.priority)
        guard notification.expiration != 0 else { return isReachable ? .send : .drop }
        let deadline = deadline(expiration: notification.expiration, now: now)
        if let deadline, deadline <= now.seconds { return .expire }
        return .store(slot: slot(notification.collapseID, isReachable: isReachable), deadline: deadline)
    }

    /// Returns the slot of a stored notification whose device is unreachable, or `nil` if it has none.
    ///
    /// A slot holds at most one stored notification.
    public func slot(collapseID: CollapseIdentifier?) -> CollapseSlot? {
        slot(collapseID, isReachable: false)
    }

    private func slot(_ collapseID: CollapseIdentifier?, isReachable: Bool) -> CollapseSlot? {
        switch mode {
        case .lossless: collapseID.map(CollapseSlot.identifier)
        // A connected device receives all of them. When it disconnects, the slot keeps an unacknowledged one.
        case .apns: isReachable ? nil : .topic
        }
    }

    private func deadline(expiration: Int?, now: Timestamp) -> Int? {
        switch mode {
        case .lossless: expiration
        case .apns: min(expiration ?? .max, now.seconds + Self.maximumStorageSeconds)
        }
    }
}

/// The properties of a notification that its storage depends on.
public struct NotificationTraits: Sendable, Equatable {
    /// The priority: 10, 5 or 1.
    public var priority: Int

    /// The time at which the notification expires, in seconds since 1970; 0 means deliver now or drop.
    public var expiration: Int?

    /// The collapse identifier.
    public var collapseID: CollapseIdentifier?

    /// Creates the value from its parts.
    public init(priority: Int = 10, expiration: Int? = nil, collapseID: CollapseIdentifier? = nil) {
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
    }
}

/// The reachability of a device.
public struct DeviceReachability: Sendable, Equatable {
    /// Whether the stream of its agent is open.
    public var isConnected: Bool

    /// Whether the device reported Low Power Mode.
    public var isLowPowerModeEnabled: Bool

    /// Creates the value from its parts.
    public init(isConnected: Bool, isLowPowerModeEnabled: Bool = false) {
        self.isConnected = isConnected
        self.isLowPowerModeEnabled = isLowPowerModeEnabled
    }

    /// Returns whether the device can receive a notification of `priority` now.
    public func canReceive(priority: Int) -> Bool {
        isConnected && !PowerRule.defers(priority: priority, isLowPowerModeEnabled: isLowPowerModeEnabled)
    }
}

/// The decision about a notification that was just accepted.
public enum ArrivalDecision: Sendable, Equatable {
    /// Stores it in the inbox until `deadline`, in seconds since 1970, replacing the notification in its `slot`.
    case store(slot: CollapseSlot?, deadline: Int?)

    /// Sends a transient notification to the open stream.
    case send

    /// Drops a transient notification, because the device cannot be reached.
    case drop

    /// Expires it: its expiration has passed.
    case expire
}

/// A slot of a device and topic, which holds at most one stored notification.
public enum CollapseSlot: Hashable, Sendable {
    /// The slot of a collapse identifier.
    case identifier(CollapseIdentifier)

    /// The only slot of the topic.
    case topic
}

/// The rule about which notifications wait while the device saves power.
public enum PowerRule {
    /// Returns whether a notification of `priority` waits in Low Power Mode.
    ///
    /// Priority 5 considers the device's power, and 1 never wakes the device ("Sending notification requests to APNs").
    public static func defers(priority: Int, isLowPowerModeEnabled: Bool) -> Bool {
        isLowPowerModeEnabled && priority < 10
    }
}
