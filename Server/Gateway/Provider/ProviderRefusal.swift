internal import GatewayStore
internal import LocalService
internal import WaypostSchema

/// Why a request of a provider is refused, in the words of APNs and in ours.
struct ProviderRefusal: Error, Sendable, Equatable {
    /// The reason.
    var reason: RejectionReason

    /// The same for a person, with what would be accepted.
    var message: String

    /// Since when a token has not been valid.
    var timestamp: Timestamp?

    /// The status of the answer.
    var status: Int

    /// The most characters of a message, which may repeat what was sent.
    private static let longestMessage = 300

    /// Creates the refusal from its parts; its status is the one that goes with the reason, unless another is asked for.
    init(_ reason: RejectionReason, _ message: String, since timestamp: Timestamp? = nil, status: Int? = nil) {
        self.reason = reason
        self.status = status ?? reason.status
        self.message = String(message.prefix(Self.longestMessage))
        self.timestamp = timestamp
    }

    /// What the store says.
    init(_ refusal: StoreRefusal) {
        self.init(refusal.rejection.reason, refusal.rejection.message, since: refusal.since)
    }

    /// What a provider is told where the gateway itself fails; whether something is lost is in its log.
    init(_ error: GatewayError) {
        let reason: RejectionReason =
            switch error {
            case .request(.internalError), .store(.failed): .internalServerError
            case .request(.shuttingDown): .shutdown
            default: .serviceUnavailable
            }
        self.init(reason, error.message)
    }

    /// The same for the delivery log.
    var rejection: Rejection {
        Rejection(status: status, reason: reason, message: message)
    }
}

extension RejectionReason {
    /// The status that goes with the reason ("Handling notification responses from APNs").
    var status: Int {
        switch self {
        case .badCertificate, .badCertificateEnvironment, .badEnvironmentKeyInToken, .expiredProviderToken, .forbidden,
            .invalidProviderToken, .missingProviderToken, .topicMismatch, .unrelatedKeyIdInToken:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        default: 400
        }
    }
}
