public import WaypostSchema

/// How an app's notifications are kept for a device that does not take them at once.
///
/// `lossless` is a queue for each device, in which a collapse identifier replaces. `apns` is what Apple documents
/// ("Viewing the status of push notifications using Metrics and APNs"): a device that cannot be reached has one stored
/// notification of each topic, the newest, for 30 days at most. Messages events are lossless whatever the app says.
public struct StoragePolicy: Sendable, Equatable {
    /// The seconds that APNs stores a notification at most: 30 days.
    public static let longestStorage = 30 * 24 * 60 * 60

    /// The mode in force.
    public let mode: StorageMode

    /// Creates the policy of `topic`, for which `mode` was chosen.
    public init(_ mode: StorageMode, for topic: Topic) {
        self.mode = Self.canChoose(mode, for: topic) ? mode : .lossless
    }

    /// Whether `mode` can be chosen for `topic`.
    public static func canChoose(_ mode: StorageMode, for topic: Topic) -> Bool {
        mode == .lossless || topic != .messages
    }

    /// Returns what becomes of a notification that was just accepted.
    ///
    /// - Parameters:
    ///   - notification: what the decision depends on.
    ///   - device: what is known of its device.
    ///   - now: the present moment.
    /// - Returns: the decision.
    public func arrival(
        of notification: NotificationTraits,
        at device: DeviceReach,
        now: Timestamp
    ) -> Arrival {
        let isReachable = device.takes(priority: notification.priority)
        guard notification.expiration != 0 else { return isReachable ? .send : .drop }
        let deadline = deadline(expiration: notification.expiration, now: now)
        if let deadline, deadline <= now.seconds { return .expire }
        return .store(slot: slot(notification.collapseID, isReachable: isReachable), deadline: deadline)
    }

    /// Returns the slot that a stored notification of an unreachable device has, of which there is one live notification.
    public func slot(collapseID: CollapseIdentifier?) -> CollapseSlot? {
        slot(collapseID, isReachable: false)
    }

    private func slot(_ collapseID: CollapseIdentifier?, isReachable: Bool) -> CollapseSlot? {
        switch mode {
        case .lossless: collapseID.map(CollapseSlot.identifier)
        // A device that is there gets each of them; what it has not acknowledged takes the slot when it leaves.
        case .apns: isReachable ? nil : .topic
        }
    }

    private func deadline(expiration: Int?, now: Timestamp) -> Int? {
        switch mode {
        case .lossless: expiration
        case .apns: min(expiration ?? .max, now.seconds + Self.longestStorage)
        }
    }
}

/// What the storage of a notification depends on.
public struct NotificationTraits: Sendable, Equatable {
    /// 10, 5 or 1.
    public var priority: Int

    /// When it is no longer worth delivering, in seconds since 1970; 0 is now or never.
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

/// Whether a device can be reached.
public struct DeviceReach: Sendable, Equatable {
    /// Whether its agent's stream is open.
    public var isConnected: Bool

    /// Whether it says that power is short.
    public var isLowPowerModeEnabled: Bool

    /// Creates the value from its parts.
    public init(isConnected: Bool, isLowPowerModeEnabled: Bool = false) {
        self.isConnected = isConnected
        self.isLowPowerModeEnabled = isLowPowerModeEnabled
    }

    /// Whether it takes a notification of `priority` now.
    public func takes(priority: Int) -> Bool {
        isConnected && !PowerRule.holds(priority: priority, isLowPowerModeEnabled: isLowPowerModeEnabled)
    }
}

/// What becomes of a notification that was just accepted.
public enum Arrival: Sendable, Equatable {
    /// It goes into the inbox, into the place of what has its `slot`, until `deadline` in seconds since 1970.
    case store(slot: CollapseSlot?, deadline: Int?)

    /// It is now or never, and goes to the open stream.
    case send

    /// It is now or never, and the device cannot be reached.
    case drop

    /// Its expiration has passed.
    case expire
}

/// A place of a device's topic that one live notification can have.
public enum CollapseSlot: Hashable, Sendable {
    /// The place of a collapse identifier.
    case identifier(CollapseIdentifier)

    /// The one place of the topic.
    case topic
}

/// Which notifications wait for power.
public enum PowerRule {
    /// Whether a notification of `priority` waits where power is short: 5 considers the device's power, and 1 never wakes
    /// the device ("Sending notification requests to APNs").
    public static func holds(priority: Int, isLowPowerModeEnabled: Bool) -> Bool {
        isLowPowerModeEnabled && priority < 10
    }
}
