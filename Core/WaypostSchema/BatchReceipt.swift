/// The answer to a batch, sent once its accepted items are as durable as `durability` says.
public struct BatchReceipt: Codable, Sendable, Equatable {
    /// The batch.
    public var id: BatchID

    /// How many items were accepted.
    public var accepted: Int

    /// How many items were not.
    public var rejected: Int

    /// What an accepted item survives.
    public var durability: Durability

    /// The rejected items in input order, or every item where all results were asked for.
    public var results: [ItemResult]

    /// Creates the value from its parts.
    public init(id: BatchID, accepted: Int, rejected: Int, durability: Durability, results: [ItemResult]) {
        self.id = id
        self.accepted = accepted
        self.rejected = rejected
        self.durability = durability
        self.results = results
    }
}

/// What an accepted notification survives; values that this version does not know are kept.
public struct Durability: StringIdentifier {
    /// The name of the level.
    public var rawValue: String

    /// Creates the level named `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Nothing: it lives as long as the gateway's process.
    public static let memory: Self = "memory"

    /// A crash of the gateway and of its machine: it is on the disk, synced.
    public static let fsync: Self = "fsync"
}

/// What became of one item of a batch when it was taken in.
public struct ItemResult: Codable, Sendable, Equatable {
    /// The item's place in the batch, from 0.
    public var index: Int

    /// The line it starts on, from 1.
    public var line: Int

    /// 200, or the status with which APNs would refuse it.
    public var status: Int

    /// The notification's identifier; absent where the item did not have a usable one.
    public var id: NotificationID?

    /// Why it was rejected.
    public var reason: RejectionReason?

    /// The same for a person, with what would be accepted.
    public var message: String?

    /// The field at fault.
    public var field: String?

    /// The byte of the inflated body where it went wrong, from 0.
    public var offset: Int?

    /// Since when the token has not been valid; with status 410 only.
    public var timestamp: Timestamp?

    /// Creates the value from its parts.
    public init(
        index: Int,
        line: Int,
        status: Int,
        id: NotificationID? = nil,
        reason: RejectionReason? = nil,
        message: String? = nil,
        field: String? = nil,
        offset: Int? = nil,
        timestamp: Timestamp? = nil
    ) {
        self.index = index
        self.line = line
        self.status = status
        self.id = id
        self.reason = reason
        self.message = message
        self.field = field
        self.offset = offset
        self.timestamp = timestamp
    }
}
