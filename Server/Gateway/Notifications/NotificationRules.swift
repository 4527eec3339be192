internal import TextBasics
internal import BatchItems
internal import PayloadRules
internal import WaypostSchema

/// APNs' rules for a notification ("Sending notification requests to APNs"), whether it comes in a batch or a request.
struct NotificationRules: Sendable {
    /// The source of a notification, which determines the names of its parts in messages.
    enum Source {
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
    static let maximumCollapseIdentifier = 64

    /// The source of the parts.
    let source: Source

    /// Returns the identifier, a UUID; `nil` if there is none.
    func identifier(_ text: String?, named name: String? = nil) throws(ProviderRefusal) -> NotificationID? {
        guard let text else { return nil }
        guard text.isCanonicalUUID else {
            let name = name ?? source.name(.id)
            throw ProviderRefusal(
                .badMessageId,
                "the \(name) must be a UUID such as 123e4567-e89b-42d3-a456-426614174000",
                field: .id
            )
        }
        return NotificationID(rawValue: text)
    }

    /// Returns the device token, in lowercase hexadecimal digits.
    func token(_ text: String) throws(ProviderRefusal) -> DeviceToken {
        guard !text.isEmpty else {
            let message =
                source == .batchItem ? "the token is empty" : "the path has no device token: /3/device/<token>"
            throw ProviderRefusal(.missingDeviceToken, message, field: .token)
        }
        guard let token = DeviceToken(hexadecimal: text) else {
            throw ProviderRefusal(
                .badDeviceToken,
                "the token must be hexadecimal, two digits per byte, as POST /v1/devices returned it",
                field: .token
            )
        }
        return token
    }

    /// Returns the topic, a bundle identifier with or without a suffix.
    func topic(_ text: String?) throws(ProviderRefusal) -> Topic {
        guard let text, !text.isEmpty else {
            let message = "the \(source.name(.topic)) is missing; use the app's bundle identifier"
            throw ProviderRefusal(.missingTopic, message, field: .topic)
        }
        let topic = Topic(rawValue: text)
        guard topic.isPlain else {
            let message = "the \(source.name(.topic)) must be a bundle identifier: letters, digits, '.' and '-'"
            throw ProviderRefusal(.badTopic, message, field: .topic)
        }
        return topic
    }

    /// Checks that a topic has the suffix that a push type requires.
    func checkSuffix(of topic: Topic, for pushType: PushType) throws(ProviderRefusal) {
        guard let suffix = pushType.topicSuffix, !topic.rawValue.hasSuffix(suffix) else { return }
        throw ProviderRefusal(
            .deviceTokenNotForTopic,
            "the \(source.name(.topic)) for push type \(pushType.rawValue) must end with \(suffix)",
            field: .topic
        )
    }

    /// Returns the push type if it is known; an alert by default.
    func pushType(_ text: String?) throws(ProviderRefusal) -> PushType {
        guard let text else { return .alert }
        let pushType = PushType(rawValue: text)
        guard PushType.known.contains(pushType) else {
            let known = PushType.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw ProviderRefusal(
                .invalidPushType,
                "the \(source.name(.pushType)) must be one of \(known)",
                field: .pushType
            )
        }
        return pushType
    }

    /// Returns the priority: 10, 5 or 1.
    func priority(_ priority: Int?, as text: String) throws(ProviderRefusal) -> Int {
        guard let priority, [10, 5, 1].contains(priority) else {
            let message = "the \(source.name(.priority)) is '\(text)'; 10, 5 and 1 are accepted"
            throw ProviderRefusal(.badPriority, message, field: .priority)
        }
        return priority
    }

    /// Returns the expiration: seconds since 1970, or 0.
    func expiration(_ expiration: Int?) throws(ProviderRefusal) -> Int {
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
    func collapseIdentifier(_ text: String?) throws(ProviderRefusal) -> CollapseIdentifier? {
        guard let text, !text.isEmpty else { return nil }
        let limit = Self.maximumCollapseIdentifier
        guard text.utf8.count <= limit else {
            let message =
                "the \(source.name(.collapseID)) has \(text.utf8.count) bytes; at most \(limit) are accepted"
            throw ProviderRefusal(.badCollapseId, message, field: .collapseID)
        }
        return CollapseIdentifier(rawValue: text)
    }

    /// Checks the size of a payload; `nil` if the payload was too large to be read whole.
    func checkSize(ofPayload size: Int?, _ pushType: PushType, _ topic: Topic) throws(ProviderRefusal) {
        let limit = PayloadCheck.maximumSize(of: pushType, for: topic)
        if let size, size <= limit { return }
        let found = size.map { "\($0) bytes" } ?? "too many bytes"
        let message = "the payload has \(found); push type \(pushType) accepts at most \(limit) bytes"
        throw ProviderRefusal(.payloadTooLarge, message, field: .payload)
    }
}

extension PushType {
    /// The suffix of the topic for this push type ("Sending notification requests to APNs").
    var topicSuffix: String? {
        switch self {
        case "complication": ".complication"
        case "controls": ".push-type.controls"
        case "fileprovider": ".pushkit.fileprovider"
        case "liveactivity": ".push-type.liveactivity"
        case "location": ".location-query"
        case "pushtotalk": ".voip-ptt"
        case "voip": ".voip"
        case "widgets": ".push-type.widgets"
        default: nil
        }
    }
}

extension Topic {
    /// Whether it can be a bundle identifier, with or without a suffix.
    var isPlain: Bool {
        (1...255).contains(rawValue.utf8.count)
            && rawValue.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".-_".utf8.contains($0) }
    }
}

extension String {
    /// Whether the string is a UUID in the form 8-4-4-4-12.
    ///
    /// Letters may be in either case: clients send both, and expect theirs back unchanged.
    var isCanonicalUUID: Bool {
        let groups = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexadecimalDigit) }
    }
}

extension DeviceToken {
    /// The maximum number of digits of a token: it fits in a path, and is several times the length of a real token.
    static let maximumDigits = 200

    /// Creates a token in its canonical form, with lowercase digits.
    ///
    /// - Throws: `GatewayError.malformedBody` if it is not hexadecimal with two digits per byte.
    init(checking token: DeviceToken) throws(GatewayError) {
        guard let spelled = DeviceToken(hexadecimal: token.rawValue) else {
            throw .malformedBody("'token' must be at most \(Self.maximumDigits) hexadecimal digits, two per byte")
        }
        self = spelled
    }

    /// Creates a token in its canonical form; `nil` if `text` is not hexadecimal with two digits per byte, or is too
    /// long.
    init?(hexadecimal text: String) {
        guard (2...Self.maximumDigits).contains(text.utf8.count), text.utf8.count.isMultiple(of: 2),
            text.utf8.allSatisfy(\.isHexadecimalDigit)
        else {
            return nil
        }
        // Tokens usually are in this form already.
        let isLowercase = text.utf8.allSatisfy { $0 >= UInt8(ascii: "a") || $0 <= UInt8(ascii: "9") }
        self.init(rawValue: isLowercase ? text : text.lowercased())
    }
}
