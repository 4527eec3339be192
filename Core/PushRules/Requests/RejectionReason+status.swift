package import WaypostSchema

extension RejectionReason {
    /// The status for the reason ("Handling notification responses from APNs").
    package var status: Int {
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
