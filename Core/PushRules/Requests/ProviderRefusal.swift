package import BatchItems
package import WaypostSchema

/// The refusal of a provider's request, with APNs' reason and the gateway's message.
package struct ProviderRefusal: Error, Sendable, Equatable {
    /// The reason; `nil` for an injected answer without a body.
    package var reason: RejectionReason?

    /// The human-readable message, with the accepted values.
    package var message: String

    /// The time since which the token has not been valid.
    package var timestamp: Timestamp?

    /// The status of the response.
    package var status: Int

    /// The wrong field of the notification; `nil` if the refusal is not about a field.
    package var field: ScannedItem.Field?

    /// The maximum number of characters of a message, which may repeat data of the request.
    private static let maximumMessageLength = 300

    /// Creates the refusal from its parts; the status is the reason's unless another is given.
    package init(
        _ reason: RejectionReason,
        _ message: String,
        since timestamp: Timestamp? = nil,
        status: Int? = nil,
        field: ScannedItem.Field? = nil
    ) {
        self.reason = reason
        self.status = status ?? reason.status
        self.message = String(message.prefix(Self.maximumMessageLength))
        self.timestamp = timestamp
        self.field = field
    }

    /// Creates the refusal of an injected answer, which may have a status and no reason.
    ///
    /// - Parameters:
    ///   - status: the status; that of the reason if absent, or 500 if that is absent, too.
    ///   - reason: the reason; an answer without one has no body.
    ///   - message: the message.
    ///   - timestamp: the time since which the token has not been valid.
    package init(status: Int?, reason: RejectionReason?, message: String, since timestamp: Timestamp? = nil) {
        self.init(reason ?? .internalServerError, message, since: timestamp, status: status)
        self.reason = reason
    }
}
