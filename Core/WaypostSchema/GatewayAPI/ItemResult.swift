/// The result of one item of a batch.
public struct ItemResult: Codable, Sendable, Equatable {
    /// The item's index in the batch, from 0.
    public var index: Int

    /// The line at which the item starts, from 1.
    public var line: Int

    /// 200, or the status with which APNs would reject the item.
    public var status: Int

    /// The notification's identifier; absent if the item has no usable one.
    public var id: NotificationID?

    /// The reason for the rejection.
    public var reason: RejectionReason?

    /// A human-readable description of the rejection, which says what would be accepted.
    public var message: String?

    /// The field in error.
    public var field: String?

    /// The byte of the inflated body with the error, from 0.
    public var offset: Int?

    /// The time at which the token became invalid; only with status 410.
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
