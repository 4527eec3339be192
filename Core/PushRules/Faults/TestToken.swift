package import WaypostSchema

/// A device token that always gets the same refusal, if a gateway has test tokens.
///
/// The first six digits decide; the others are arbitrary, so that there are many tokens for each reason.
package struct TestToken: Sendable, Equatable {
    /// The first digits of every test token; two more follow, for the reason.
    private static let start = "7e57"

    /// The reasons, by the two digits.
    package static let reasons: [(digits: String, reason: RejectionReason)] = [
        ("00", .badDeviceToken), ("01", .deviceTokenNotForTopic), ("03", .expiredProviderToken),
        ("04", .invalidProviderToken), ("10", .unregistered), ("11", .expiredToken), ("13", .payloadTooLarge),
        ("29", .tooManyRequests), ("30", .tooManyProviderTokenUpdates), ("50", .internalServerError),
        ("53", .serviceUnavailable), ("54", .shutdown),
    ]

    /// The digits that decide, such as `7e5710`.
    package var prefix: String

    /// The reason of the refusal.
    package var reason: RejectionReason

    /// Creates a test token; `nil` if the token does not begin as one, or if its two digits have no reason.
    package init?(_ token: DeviceToken) {
        let digits = token.rawValue.utf8
        guard digits.starts(with: Self.start.utf8) else { return nil }
        let reasonDigits = digits.dropFirst(Self.start.utf8.count).prefix(2)
        guard let row = Self.reasons.first(where: { $0.digits.utf8.elementsEqual(reasonDigits) }) else { return nil }
        prefix = Self.start + row.digits
        reason = row.reason
    }

    /// The refusal of a request for the token; a 410 has the current time, as if the app had just been removed.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the refusal.
    package func refusal(at now: Timestamp) -> ProviderRefusal {
        ProviderRefusal(
            reason,
            "tokens that begin with \(prefix) always get this answer (--test-tokens)",
            since: reason.status == 410 ? now : nil
        )
    }
}
