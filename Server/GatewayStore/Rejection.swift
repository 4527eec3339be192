package import WaypostSchema

/// Why an item was not accepted, as APNs would say it.
package struct Rejection: Error, Sendable, Hashable {
    /// The HTTP status.
    package var status: Int

    /// The reason.
    package var reason: RejectionReason

    /// The same for a person, with what would be accepted.
    package var message: String

    /// Creates the value from its parts.
    package init(status: Int, reason: RejectionReason, message: String) {
        self.status = status
        self.reason = reason
        self.message = message
    }
}

/// An item that did not come as far as the store.
package struct RejectedItem: Sendable, Equatable {
    /// How much of it could be read.
    package var subject: LogSubject

    /// Why it was rejected.
    package var rejection: Rejection

    /// Creates the value from its parts.
    package init(subject: LogSubject, rejection: Rejection) {
        self.subject = subject
        self.rejection = rejection
    }
}

extension StoreRefusal {
    /// What APNs would say ("Handling notification responses from APNs").
    package var rejection: Rejection {
        switch self {
        case .unknownToken:
            Rejection(status: 400, reason: .badDeviceToken, message: "no device is registered with this token")
        case .wrongEnvironment:
            Rejection(status: 400, reason: .badDeviceToken, message: "the token is one of the other environment")
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
