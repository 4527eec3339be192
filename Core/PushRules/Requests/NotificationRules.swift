package import BatchItems
internal import TextBasics
package import WaypostSchema

/// APNs' rules for a notification ("Sending notification requests to APNs"), whether it comes in a batch or a request.
package struct NotificationRules: Sendable {
    /// The source of a notification, which determines the names of its parts in messages.
    package enum Source {
        /// A batch item, with the names of its members.
        case batchItem

        /// A provider's request, with the names of its headers.
        case providerRequest

        fileprivate func name(_ field: ScannedItem.Field) -> String {
            switch (field, self) {
            case (.id, .batchItem): "id"
            case (.id, .providerRequest): "apns-id"
            case (.topic, .batchItem): "topic"
            case (.topic, .providerRequest): "apns-topic"
            case (.pushType, .batchItem): "push type"
            case (.pushType, .providerRequest): "apns-push-type"
            case (.priority, .batchItem): "priority"
            case (.priority, .providerRequest): "apns-priority"
            case (.expiration, .batchItem): "expiration"
            case (.expiration, .providerRequest): "apns-expiration"
            case (.collapseID, .batchItem): "collapse identifier"
            case (.collapseID, .providerRequest): "apns-collapse-id"
            case (.token, _): "token"
            case (.payload, _): "payload"
            }
        }
    }

    /// The maximum size of a collapse identifier in bytes.
    package static let maximumCollapseIdentifierLength = 64

    /// The source of the parts.
    package let source: Source

    /// Creates the rules for a source.
    package init(source: Source) {
        self.source = source
    }

    /// Returns the identifier, a UUID; `nil` if there is none.
    package func identifier(_ string: String?, named name: String? = nil) throws(ProviderRefusal) -> NotificationID? {
        guard let string else { return nil }
        guard string.isCanonicalUUID else {
            let name = name ?? source.name(.id)
            throw ProviderRefusal(
                .badMessageId,
                "the \(name) must be a UUID such as 123e4567-e89b-42d3-a456-426614174000",
                field: .id
            )
        }
        return NotificationID(rawValue: string)
    }

    /// Returns the device token, in lowercase hexadecimal digits.
    package func token(_ string: String) throws(ProviderRefusal) -> DeviceToken {
        guard !string.isEmpty else {
            let message =
                source == .batchItem ? "the token is empty" : "the path has no device token: /3/device/<token>"
            throw ProviderRefusal(.missingDeviceToken, message, field: .token)
        }
        guard let token = DeviceToken(hexadecimal: string) else {
            throw ProviderRefusal(
                .badDeviceToken,
                "the token must be hexadecimal, two digits per byte, as POST /v1/devices returned it"
                    + (Self.mistake(in: string).map { "; \($0)" } ?? ""),
                field: .token
            )
        }
        return token
    }

    /// Returns a known mistake of programs that make a token's text from its bytes; `nil` for any other text.
    private static func mistake(in token: String) -> String? {
        // In the path of a request, the text may be percent-encoded.
        let text = token.replacing("%20", with: " ").replacing("%7B", with: "{").replacing("%3C", with: "<")
        if text.hasPrefix("{length") || text.hasPrefix("{ length") {
            return "this is the description of a Data value, which has only a part of its bytes since iOS 13"
        }
        if text.hasPrefix("<") { return "this is the description of a Data value; leave out '<', '>' and the spaces" }
        if ["null", "(null)", "nil", "undefined", "None"].contains(text) {
            return "this is the text of a missing value: the sender has stored no token"
        }
        if text.contains(":") || text.contains("%3A") {
            return "this looks like a token of Firebase Cloud Messaging; the app gets the token of APNs from the system"
        }
        if text.hasSuffix("=") || text.hasSuffix("%3D") {
            return "this looks like base64; write each of its bytes as two hexadecimal digits"
        }
        let count = token.utf8.count
        guard token.allSatisfy({ $0.isASCII && $0.isHexDigit }), !count.isMultiple(of: 2) else { return nil }
        return "its \(count) digits are an odd number, so one is missing"
    }

    /// Returns the topic, a bundle identifier with or without a suffix.
    package func topic(_ string: String?) throws(ProviderRefusal) -> Topic {
        guard let string, !string.isEmpty else {
            let message = "the \(source.name(.topic)) is missing; use the app's bundle identifier"
            throw ProviderRefusal(.missingTopic, message, field: .topic)
        }
        let topic = Topic(rawValue: string)
        guard topic.isWellFormed else {
            let message = "the \(source.name(.topic)) must be a bundle identifier: letters, digits, '.' and '-'"
            throw ProviderRefusal(.badTopic, message, field: .topic)
        }
        return topic
    }

    /// Checks that a topic has the suffix that a push type requires.
    package func checkSuffix(of topic: Topic, for pushType: PushType) throws(ProviderRefusal) {
        guard let suffix = pushType.topicSuffix, !topic.rawValue.hasSuffix(suffix) else { return }
        let requirement = "the \(source.name(.topic)) for push type \(pushType) must end with \(suffix)"
        guard let (_, other) = topic.split else {
            throw ProviderRefusal(.deviceTokenNotForTopic, requirement, field: .topic)
        }
        throw ProviderRefusal(
            .invalidPushType,
            "\(requirement); this one belongs to push type \(other.name)",
            field: .pushType
        )
    }

    /// Returns the finding about a number that is not written in the usual way; `nil` for one that is.
    ///
    /// - Parameters:
    ///   - string: the number as it was written, such as `05` or `+5`.
    ///   - number: its value.
    ///   - field: the field: the priority or the expiration.
    /// - Returns: the finding.
    package func finding(of string: String, _ number: Int, in field: ScannedItem.Field) -> NotificationFinding? {
        guard string != "\(number)" else { return nil }
        return NotificationFinding(
            code: field == .priority ? .unusualPriority : .unusualExpiration,
            severity: .error,
            message: "the \(source.name(field)) is '\(string)'; write \(number)"
        )
    }

    /// Returns the push type, which must be documented; an alert by default.
    package func pushType(_ string: String?) throws(ProviderRefusal) -> PushType {
        guard let string else { return .alert }
        let pushType = PushType(rawValue: string)
        guard PushType.documented.contains(pushType) else {
            let names = PushType.documented.map(\.rawValue).sorted().joined(separator: ", ")
            throw ProviderRefusal(
                .invalidPushType,
                "the \(source.name(.pushType)) must be one of \(names)",
                field: .pushType
            )
        }
        return pushType
    }

    /// Returns the finding about a missing push type.
    package func missingPushTypeFinding(for topic: Topic) -> NotificationFinding {
        let implied = topic.impliedPushType
        let message =
            implied == .alert
            ? "alert is assumed, but watchOS needs it, and others may delay the push" : "this topic needs \(implied)"
        return NotificationFinding(
            code: .missingPushType,
            message: "the \(source.name(.pushType)) is missing; \(message)"
        )
    }

    /// Returns the priority: 10, 5 or 1.
    package func priority(_ priority: Int?, as string: String) throws(ProviderRefusal) -> Int {
        guard let priority, PushTypeContract.priorities.contains(priority) else {
            let message = "the \(source.name(.priority)) is '\(string)'; 10, 5 and 1 are accepted"
            throw ProviderRefusal(.badPriority, message, field: .priority)
        }
        return priority
    }

    /// Returns the expiration: seconds since 1970, or 0.
    package func expiration(_ expiration: Int?) throws(ProviderRefusal) -> Int {
        guard let expiration, expiration >= 0 else {
            throw ProviderRefusal(
                .badExpirationDate,
                "the \(source.name(.expiration)) must be seconds since 1970, or 0 to deliver now or drop",
                field: .expiration
            )
        }
        return expiration
    }

    /// Returns the collapse identifier; `nil` if it is missing or empty.
    package func collapseIdentifier(_ string: String?) throws(ProviderRefusal) -> CollapseIdentifier? {
        guard let string, !string.isEmpty else { return nil }
        let limit = Self.maximumCollapseIdentifierLength
        guard string.utf8.count <= limit else {
            let message =
                "the \(source.name(.collapseID)) has \(string.utf8.count) bytes; at most \(limit) are accepted"
            throw ProviderRefusal(.badCollapseId, message, field: .collapseID)
        }
        return CollapseIdentifier(rawValue: string)
    }

    /// Checks the size of a payload; `nil` if the payload was too large to be read whole.
    package func checkPayloadSize(_ size: Int?, pushType: PushType, topic: Topic) throws(ProviderRefusal) {
        let limit = PayloadCheck.maximumSize(for: pushType, topic: topic)
        if let size, size <= limit { return }
        let actual = size.map { "\($0) bytes" } ?? "too many bytes"
        let message = "the payload has \(actual); push type \(pushType) accepts at most \(limit) bytes"
        throw ProviderRefusal(.payloadTooLarge, message, field: .payload)
    }
}
