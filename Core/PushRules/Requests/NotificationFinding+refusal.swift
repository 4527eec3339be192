package import WaypostSchema

extension NotificationFinding {
    /// The refusal by a strict gateway; `nil` if it accepts the notification, because the finding is not an error.
    package var refusal: ProviderRefusal? {
        severity == .error ? ProviderRefusal(code.refusalReason, message) : nil
    }
}

extension NotificationFinding.Code {
    /// The reason of a strict gateway.
    private static let refusalReasons: [Self: RejectionReason] = [
        .mdmTopic: .deviceTokenNotForTopic,
        .pushTypeAuthentication: .topicDisallowed, .backgroundPriority: .badPriority, .unusualPriority: .badPriority,
        .unusualExpiration: .badExpirationDate, .relativeExpiration: .badExpirationDate,
        .providerTokenAlgorithm: .invalidProviderToken,
    ]

    /// The reason for which a strict gateway refuses an error; that of an unusable payload unless the error is about
    /// something else.
    fileprivate var refusalReason: RejectionReason {
        Self.refusalReasons[self] ?? .payloadEmpty
    }
}
