internal import WaypostSchema

/// The writer's cache of database contents, which saves queries for each notification.
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

    private(set) var namespaceIDs: [Namespace: Int] = [:]
    private(set) var devices: [DeviceKey: DeviceRecord] = [:]
    private(set) var storageModes: [Int: [Topic: StorageMode]] = [:]

    /// The numbers of the newest segments of the log, by namespace.
    private(set) var lastSegments: [Int: Int] = [:]

    /// For each segment, a time in milliseconds that is not earlier than the `earliest_end` in the database.
    private(set) var earliestEndTimes: [LogSegment: Int] = [:]

    /// Caches a namespace's number.
    mutating func setNamespaceID(_ id: Int, of namespace: Namespace) {
        if namespaceIDs.count >= Self.capacity { namespaceIDs = [:] }
        namespaceIDs[namespace] = id
    }

    /// Caches a device.
    mutating func insert(_ device: DeviceRecord, for key: DeviceKey) {
        if devices.count >= Self.capacity { devices = [:] }
        devices[key] = device
    }

    /// Caches the storage modes of a namespace's apps; `nil` removes them.
    mutating func setStorageModes(_ modes: [Topic: StorageMode]?, of namespace: Int) {
        if storageModes.count >= Self.capacity { storageModes = [:] }
        storageModes[namespace] = modes
    }

    /// Caches the number of a namespace's newest segment.
    mutating func setLastSegment(_ number: Int, of namespace: Int) {
        if lastSegments.count >= Self.capacity { lastSegments = [:] }
        lastSegments[namespace] = number
    }

    /// Caches that a notification of a segment ended at `time`.
    mutating func setEarliestEnd(_ time: Int, of segment: LogSegment) {
        if earliestEndTimes.count >= Self.capacity { earliestEndTimes = [:] }
        earliestEndTimes[segment] = time
    }

    /// Removes a segment from the cache.
    mutating func removeEarliestEnd(of segment: LogSegment) {
        earliestEndTimes[segment] = nil
    }
}
