internal import WaypostSchema

/// What the writer remembers of the database, so that it need not ask for each notification again.
///
/// It is forgotten whenever a transaction is rolled back, and when it has grown to its bounds.
struct StoreCache: Sendable {
    /// A device of a namespace.
    struct DeviceKey: Hashable {
        /// The namespace's number.
        var namespace: Int

        /// The device's token.
        var token: DeviceToken
    }

    /// How many devices, and how many namespaces, are remembered at most.
    static let capacity = 65_536

    private(set) var namespaces: [Namespace: Int] = [:]
    private(set) var devices: [DeviceKey: KnownDevice] = [:]
    private(set) var modes: [Int: [Topic: StorageMode]] = [:]

    /// Remembers a namespace's number.
    mutating func remember(_ namespace: Namespace, as number: Int) {
        if namespaces.count >= Self.capacity { namespaces = [:] }
        namespaces[namespace] = number
    }

    /// Remembers a device.
    mutating func remember(_ device: KnownDevice, at key: DeviceKey) {
        if devices.count >= Self.capacity { devices = [:] }
        devices[key] = device
    }

    /// Forgets a device.
    mutating func forget(_ key: DeviceKey) {
        devices[key] = nil
    }

    /// Remembers how the apps of a namespace are kept; `nil` forgets it.
    mutating func remember(_ modes: [Topic: StorageMode]?, in namespace: Int) {
        if self.modes.count >= Self.capacity { self.modes = [:] }
        self.modes[namespace] = modes
    }
}

/// A device as the writer knows it.
struct KnownDevice: Sendable {
    /// Its number in its namespace.
    var number: Int

    /// The number of its agent.
    var agent: Int

    /// Its name, for people.
    var name: String

    /// The topics it takes notifications for.
    var topics: Set<Topic>

    /// What is answered to who sends to its token.
    var standing: TokenStanding

    /// Since when the standing is what it is.
    var since: Timestamp

    /// Whether its power is short.
    var isLowPowerModeEnabled: Bool

    /// Returns the device as others see it.
    func registered(as token: DeviceToken) -> RegisteredDevice {
        RegisteredDevice(
            token: token,
            name: name,
            topics: topics.sorted { $0.rawValue < $1.rawValue },
            standing: standing,
            since: since,
            powerConstrained: isLowPowerModeEnabled
        )
    }

    /// Returns why the device does not take what is sent to it for `topic`; `nil` where it does.
    func refusal(of topic: Topic) -> StoreRefusal? {
        switch standing {
        case .wrongEnvironment: .wrongEnvironment
        case .unregistered: .unregistered(since: since)
        case .expired: .expired(since: since)
        case .active: topics.contains(topic) ? nil : .wrongTopic
        }
    }
}
