internal import WaypostSchema

/// The writer's cache of database contents, so that it need not query them for each notification.
///
/// It is cleared when a transaction is rolled back, and when it reaches its capacity.
struct StoreCache: Sendable {
    /// The key of a device in a namespace.
    struct DeviceKey: Hashable {
        /// The namespace's number.
        var namespace: Int

        /// The device's token.
        var token: DeviceToken
    }

    /// The maximum number of cached devices, and of cached namespaces.
    static let capacity = 65_536

    private(set) var namespaces: [Namespace: Int] = [:]
    private(set) var devices: [DeviceKey: KnownDevice] = [:]
    private(set) var modes: [Int: [Topic: StorageMode]] = [:]

    /// The numbers of the newest segments of the log, by namespace.
    private(set) var lastSegments: [Int: Int] = [:]

    /// Times in milliseconds at which a notification of a segment ended; none of the database is later.
    private(set) var earliestEnds: [LogSegment: Int] = [:]

    /// Caches a namespace's number.
    mutating func remember(_ namespace: Namespace, as number: Int) {
        if namespaces.count >= Self.capacity { namespaces = [:] }
        namespaces[namespace] = number
    }

    /// Caches a device.
    mutating func remember(_ device: KnownDevice, at key: DeviceKey) {
        if devices.count >= Self.capacity { devices = [:] }
        devices[key] = device
    }

    /// Removes a device from the cache.
    mutating func forget(_ key: DeviceKey) {
        devices[key] = nil
    }

    /// Caches the storage modes of a namespace's apps; `nil` removes them.
    mutating func remember(_ modes: [Topic: StorageMode]?, in namespace: Int) {
        if self.modes.count >= Self.capacity { self.modes = [:] }
        self.modes[namespace] = modes
    }

    /// Caches the number of a namespace's newest segment.
    mutating func rememberLastSegment(_ number: Int, of namespace: Int) {
        if lastSegments.count >= Self.capacity { lastSegments = [:] }
        lastSegments[namespace] = number
    }

    /// Caches that a notification of a segment ended at `moment`.
    mutating func rememberEnd(_ moment: Int, in segment: LogSegment) {
        if earliestEnds.count >= Self.capacity { earliestEnds = [:] }
        earliestEnds[segment] = moment
    }

    /// Removes a segment from the cache.
    mutating func forgetEnd(in segment: LogSegment) {
        earliestEnds[segment] = nil
    }
}
