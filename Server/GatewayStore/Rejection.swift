internal import PushRules
package import WaypostSchema

/// The reason why an item was not accepted, as APNs would report it.
package struct Rejection: Error, Sendable, Hashable {
    /// The HTTP status.
    package var status: Int

    /// The reason; `nil` for an injected answer without one.
    package var reason: RejectionReason?

    /// A human-readable message with what is accepted.
    package var message: String

    /// Creates the value from its parts.
    package init(status: Int, reason: RejectionReason?, message: String) {
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
    /// The number of bytes of the tokens that a gateway gives to devices.
    private static let tokenSize = 32

    /// The reason that APNs would give ("Handling notification responses from APNs").
    package var reason: RejectionReason {
        switch self {
        case .unknownToken, .wrongEnvironment: .badDeviceToken
        case .wrongTopic, .wrongPurpose: .deviceTokenNotForTopic
        case .wrongPushType: .invalidPushType
        case .unregistered: .unregistered
        case .expired: .expiredToken
        }
    }

    /// Returns the rejection of a notification.
    package func rejection(of notification: NewNotification) -> Rejection {
        Rejection(status: reason.status, reason: reason, message: message(about: notification))
    }

    private func message(about notification: NewNotification) -> String {
        switch self {
        case .unknownToken: Self.messageAboutUnknown(notification.token)
        case .wrongEnvironment(.sandbox):
            "this token is of the sandbox, and the request is to production; send it to api.sandbox.push.apple.com"
        case .wrongEnvironment(.production):
            "this token is of production, and the request is to the sandbox; send it to api.push.apple.com"
        case .wrongEnvironment(nil): "the token belongs to the other environment"
        case .wrongTopic(let registered):
            TopicMismatch(
                notification.topic,
                registered: registered,
                isFromCertificate: notification.isTopicFromCertificate
            ).message
        case .wrongPurpose(let purpose): purpose.explanation(refusing: notification.topic)
        case .wrongPushType(let pushType):
            "the topic \(notification.topic) belongs to push type \(pushType), but the push type is \(notification.pushType)"
        case .unregistered: "the device was unregistered; stop sending to this token"
        case .expired: "the token has expired; stop sending to it"
        }
    }

    private static func messageAboutUnknown(_ token: DeviceToken) -> String {
        let message = "no device is registered with this token"
        let size = token.rawValue.utf8.count / 2
        guard size < tokenSize else { return message }
        return """
            \(message), which has \(size) bytes; those of this gateway have \(tokenSize), so it may have been cut off
            """
    }
}
