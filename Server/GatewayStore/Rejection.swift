package import WaypostSchema

/// The reason why an item was not accepted, as APNs would report it.
package struct Rejection: Error, Sendable, Hashable {
    /// The HTTP status.
    package var status: Int

    /// The reason.
    package var reason: RejectionReason

    /// A human-readable message with what is accepted.
    package var message: String

    /// Creates the value from its parts.
    package init(status: Int, reason: RejectionReason, message: String) {
        self.status = status
        self.reason = reason
        self.message = message
    }
}

/// An item that was rejected before the store.
package struct RejectedItem: Sendable, Equatable {
    /// The parts of the item that could be read.
    package var subject: LogSubject

    /// The reason for the rejection.
    package var rejection: Rejection

    /// The payload, if it could be read; the store does not keep it.
    package var payload: [UInt8]?

    /// Creates the value from its parts.
    package init(subject: LogSubject, rejection: Rejection, payload: [UInt8]? = nil) {
        self.subject = subject
        self.rejection = rejection
        self.payload = payload
    }
}

extension StoreRefusal {
    /// The answer that APNs would give ("Handling notification responses from APNs").
    package var rejection: Rejection {
        switch self {
        case .unknownToken:
            Rejection(status: 400, reason: .badDeviceToken, message: "no device is registered with this token")
        case .wrongEnvironment:
            Rejection(status: 400, reason: .badDeviceToken, message: "the token belongs to the other environment")
        case .wrongTopic:
            Rejection(
                status: 400,
                reason: .deviceTokenNotForTopic,
                message: "the device is not registered for this topic"
            )
        case .unregistered:
            Rejection(
                status: 410,
                reason: .unregistered,
                message: "the device was unregistered; stop sending to this token"
            )
        case .expired:
            Rejection(status: 410, reason: .expiredToken, message: "the token has expired; stop sending to it")
        }
    }
}
