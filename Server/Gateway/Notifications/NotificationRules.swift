internal import BatchItems
internal import WaypostSchema

/// The rules that APNs has for a notification ("Sending notification requests to APNs"), whichever way it comes in.
struct NotificationRules: Sendable {
    /// What notifications are read from, which decides what their parts are called.
    enum Source {
        /// A batch item, by its members.
        case batchItem

        /// A provider's request, by its headers.
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

    /// Why a part of a notification breaks a rule.
    struct Violation: Error, Equatable {
        var reason: RejectionReason
        var field: ScannedItem.Field
        var message: String
    }

    /// The most bytes of a collapse identifier.
    static let maximumCollapseIdentifier = 64

    /// What the parts are read from.
    let source: Source

    /// Returns the most bytes of a payload, by push type; 64 KiB for Messages events.
    static func maximumPayload(of pushType: PushType, for topic: Topic) -> Int {
        if topic == .messages { return 64 << 10 }
        return pushType == "voip" ? 5_120 : 4_096
    }

    /// Returns the identifier, a UUID; `nil` if there is none.
    func identifier(_ text: String?, named name: String? = nil) throws(Violation) -> NotificationID? {
        guard let text else { return nil }
        guard text.isCanonicalUUID else {
            let name = name ?? source.name(.id)
            throw Violation(
                reason: .badMessageId,
                field: .id,
                message: "the \(name) must be a UUID such as 123e4567-e89b-42d3-a456-426614174000"
            )
        }
        return NotificationID(rawValue: text)
    }

    /// Returns the device token, in lowercase hexadecimal digits.
    func token(_ text: String) throws(Violation) -> DeviceToken {
        guard !text.isEmpty else {
            let message =
                source == .batchItem ? "the token is empty" : "the path ends before the token: /3/device/<token>"
            throw Violation(reason: .missingDeviceToken, field: .token, message: message)
        }
        guard let token = DeviceToken(hexadecimal: text) else {
            throw Violation(
                reason: .badDeviceToken,
                field: .token,
                message: "the token must be hexadecimal digits, two a byte, as POST /v1/devices answered it"
            )
        }
        return token
    }

    /// Returns the topic, a bundle identifier with or without a suffix.
    func topic(_ text: String?) throws(Violation) -> Topic {
        guard let text, !text.isEmpty else {
            let message = "the \(source.name(.topic)) is missing: the app's bundle identifier"
            throw Violation(reason: .missingTopic, field: .topic, message: message)
        }
        let topic = Topic(rawValue: text)
        guard topic.isPlain else {
            let message = "the \(source.name(.topic)) must be a bundle identifier: letters, digits, '.' and '-'"
            throw Violation(reason: .badTopic, field: .topic, message: message)
        }
        return topic
    }

    /// Checks that a topic goes with a push type.
    func checkSuffix(of topic: Topic, for pushType: PushType) throws(Violation) {
        guard let suffix = pushType.topicSuffix, !topic.rawValue.hasSuffix(suffix) else { return }
        throw Violation(
            reason: .deviceTokenNotForTopic,
            field: .topic,
            message: "the \(source.name(.topic)) of a push of type \(pushType.rawValue) ends with \(suffix)"
        )
    }

    /// Returns the push type, a known one; an alert if there is none.
    func pushType(_ text: String?) throws(Violation) -> PushType {
        guard let text else { return .alert }
        let pushType = PushType(rawValue: text)
        guard PushType.known.contains(pushType) else {
            let known = PushType.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw Violation(
                reason: .invalidPushType,
                field: .pushType,
                message: "the \(source.name(.pushType)) must be one of \(known)"
            )
        }
        return pushType
    }

    /// Returns the priority: 10, 5 or 1.
    func priority(_ priority: Int?, as text: String) throws(Violation) -> Int {
        guard let priority, [10, 5, 1].contains(priority) else {
            let name = source.name(.priority)
            let message = "the \(name) is \(source == .batchItem ? text : "'\(text)'"); 10, 5 and 1 are accepted"
            throw Violation(reason: .badPriority, field: .priority, message: message)
        }
        return priority
    }

    /// Returns the expiration: seconds since 1970, or 0.
    func expiration(_ expiration: Int?) throws(Violation) -> Int {
        guard let expiration, expiration >= 0 else {
            throw Violation(
                reason: .badExpirationDate,
                field: .expiration,
                message: "the \(source.name(.expiration)) must be seconds since 1970, or 0 for now or never"
            )
        }
        return expiration
    }

    /// Returns the collapse identifier; `nil` if there is none, or an empty one.
    func collapseIdentifier(_ text: String?) throws(Violation) -> CollapseIdentifier? {
        guard let text, !text.isEmpty else { return nil }
        let limit = Self.maximumCollapseIdentifier
        guard text.utf8.count <= limit else {
            let message =
                "the \(source.name(.collapseID)) has \(text.utf8.count) bytes; at most \(limit) are accepted"
            throw Violation(reason: .badCollapseId, field: .collapseID, message: message)
        }
        return CollapseIdentifier(rawValue: text)
    }

    /// Checks the size of a payload; `nil` is more than was read of it.
    func checkSize(ofPayload size: Int?, _ pushType: PushType, _ topic: Topic) throws(Violation) {
        let limit = Self.maximumPayload(of: pushType, for: topic)
        if let size, size <= limit { return }
        let found = size.map { "\($0) bytes" } ?? "more"
        let message = "the payload has \(found); a push of type \(pushType) takes \(limit) bytes"
        throw Violation(reason: .payloadTooLarge, field: .payload, message: message)
    }
}

extension PushType {
    /// What the topic of a push of this type ends with ("Sending notification requests to APNs").
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
        let isPlain = rawValue.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && (1...255).contains(rawValue.utf8.count)
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
