internal import BatchItems
internal import GatewayStore
internal import JSONScanning
internal import WaypostSchema

/// The rules that APNs has for a notification's headers and size, applied to a batch item.
enum NotificationRules {
    /// Why an item breaks a rule.
    struct Violation: Error, Equatable {
        var reason: RejectionReason
        var field: ScannedItem.Field
        var message: String
    }

    /// The most bytes of a payload, by push type ("Sending notification requests to APNs"); 64 KiB for Messages events.
    static func maximumPayload(of pushType: PushType, for topic: Topic) -> Int {
        if topic == .messages { return 64 << 10 }
        return pushType == "voip" ? 5_120 : 4_096
    }

    static let maximumCollapseIdentifier = 64

    /// Returns the notification that `item` describes.
    ///
    /// - Parameters:
    ///   - item: the scanned item.
    ///   - bytes: the bytes that it was scanned from.
    ///   - makeID: makes an identifier where the sender gave none.
    /// - Returns: the notification, its payload copied out of `bytes`.
    /// - Throws: `Violation` for the first rule that the item breaks.
    static func notification(
        from item: ScannedItem,
        in bytes: [UInt8],
        makeID: () -> NotificationID
    ) throws(Violation) -> NewNotification {
        let pushType = try pushType(of: item, bytes)
        let topic = Topic(rawValue: item.topic.string(in: bytes))
        try checkPayload(of: item, pushType, topic)
        return NewNotification(
            id: try identifier(of: item, bytes) ?? makeID(),
            token: try token(of: item, bytes),
            topic: try checked(topic),
            pushType: pushType,
            priority: try priority(of: item),
            expiration: try expiration(of: item),
            collapseID: try collapseIdentifier(of: item, bytes),
            payload: Array(bytes[item.payload])
        )
    }

    /// The most bytes of a token or topic that is kept of an item that breaks a rule.
    private static let longestKept = 256

    /// Returns what the log is told of an item that breaks a rule: where it was to go, as far as that can be read.
    static func subject(of item: ScannedItem, in bytes: [UInt8]) -> LogSubject {
        LogSubject(
            id: (try? identifier(of: item, bytes)) ?? nil,
            token: (try? token(of: item, bytes)).flatMap { $0.rawValue.utf8.count <= longestKept ? $0 : nil },
            topic: (try? checked(Topic(rawValue: item.topic.string(in: bytes))))
                .flatMap { $0.rawValue.utf8.count <= longestKept ? $0 : nil },
            pushType: try? pushType(of: item, bytes),
            priority: try? priority(of: item),
            collapseID: (try? collapseIdentifier(of: item, bytes)) ?? nil
        )
    }

    private static func token(of item: ScannedItem, _ bytes: [UInt8]) throws(Violation) -> DeviceToken {
        let token = item.token.string(in: bytes)
        if token.isEmpty {
            throw Violation(reason: .missingDeviceToken, field: .token, message: "the token is empty")
        }
        guard let spelled = DeviceToken(hexadecimal: token) else {
            let message = "the token must be hexadecimal digits, two a byte, as POST /v1/devices answered it"
            throw Violation(reason: .badDeviceToken, field: .token, message: message)
        }
        return spelled
    }

    private static func checked(_ topic: Topic) throws(Violation) -> Topic {
        guard !topic.rawValue.isEmpty else {
            throw Violation(reason: .missingTopic, field: .topic, message: "the topic is empty")
        }
        return topic
    }

    private static func pushType(of item: ScannedItem, _ bytes: [UInt8]) throws(Violation) -> PushType {
        guard let text = item.pushType else { return .alert }
        let pushType = PushType(rawValue: text.string(in: bytes))
        guard PushType.known.contains(pushType) else {
            let known = PushType.known.map(\.rawValue).sorted().joined(separator: ", ")
            let message = "the push type must be one of \(known)"
            throw Violation(reason: .invalidPushType, field: .pushType, message: message)
        }
        return pushType
    }

    private static func priority(of item: ScannedItem) throws(Violation) -> Int {
        let priority = item.priority ?? 10
        guard [10, 5, 1].contains(priority) else {
            let message = "the priority is \(priority); 10, 5 and 1 are accepted"
            throw Violation(reason: .badPriority, field: .priority, message: message)
        }
        return priority
    }

    private static func expiration(of item: ScannedItem) throws(Violation) -> Int? {
        guard let expiration = item.expiration else { return nil }
        guard expiration >= 0 else {
            let message = "the expiration must be seconds since 1970, or 0 for now or never"
            throw Violation(reason: .badExpirationDate, field: .expiration, message: message)
        }
        return expiration
    }

    private static func collapseIdentifier(
        of item: ScannedItem,
        _ bytes: [UInt8]
    ) throws(Violation) -> CollapseIdentifier? {
        guard let text = item.collapseID else { return nil }
        let identifier = text.string(in: bytes)
        guard identifier.utf8.count <= maximumCollapseIdentifier else {
            let message =
                "the collapse identifier has \(identifier.utf8.count) bytes; "
                + "at most \(maximumCollapseIdentifier) are accepted"
            throw Violation(reason: .badCollapseId, field: .collapseID, message: message)
        }
        return CollapseIdentifier(rawValue: identifier)
    }

    private static func identifier(of item: ScannedItem, _ bytes: [UInt8]) throws(Violation) -> NotificationID? {
        guard let text = item.id else { return nil }
        let identifier = text.string(in: bytes)
        guard identifier.isCanonicalUUID else {
            let message = "the id must be a UUID such as 123e4567-e89b-42d3-a456-426614174000"
            throw Violation(reason: .badMessageId, field: .id, message: message)
        }
        return NotificationID(rawValue: identifier)
    }

    private static func checkPayload(
        of item: ScannedItem,
        _ pushType: PushType,
        _ topic: Topic
    ) throws(Violation) {
        let limit = maximumPayload(of: pushType, for: topic)
        guard item.payload.count <= limit else {
            let message = "the payload has \(item.payload.count) bytes; a push of type \(pushType) takes \(limit)"
            throw Violation(reason: .payloadTooLarge, field: .payload, message: message)
        }
    }
}

extension String {
    /// Whether this is a UUID written 8-4-4-4-12; letters of either case, as real clients send both and want theirs
    /// back unchanged.
    var isCanonicalUUID: Bool {
        let groups = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexadecimalDigit) }
    }
}
