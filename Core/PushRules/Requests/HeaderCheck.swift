package import WaypostSchema

/// A check of a notification without its payload: what is unusual about its topic, priority, expiration and identifier.
///
/// The findings follow from what a store keeps of a notification, so they are not stored.
package struct HeaderCheck: Sendable {
    /// The first second of the year 2000; no notification expires before it.
    private static let year2000 = 946_684_800

    /// The smallest number that is a time in milliseconds.
    static let firstMilliseconds = 1_000_000_000_000

    private let pushType: PushType
    private let topic: Topic
    private let priority: Int
    private let expiration: Int?
    private let id: NotificationID?
    private let isPushTypeAssumed: Bool

    /// Creates the check of a notification.
    ///
    /// - Parameters:
    ///   - pushType: the push type.
    ///   - topic: the topic.
    ///   - priority: the priority.
    ///   - expiration: the expiration; `nil` if the sender gave none.
    ///   - id: the identifier.
    ///   - isPushTypeAssumed: whether the sender gave no push type, which every topic accepts.
    package init(
        pushType: PushType,
        topic: Topic,
        priority: Int,
        expiration: Int?,
        id: NotificationID? = nil,
        isPushTypeAssumed: Bool = false
    ) {
        self.pushType = pushType
        self.topic = topic
        self.priority = priority
        self.expiration = expiration
        self.id = id
        self.isPushTypeAssumed = isPushTypeAssumed
    }

    /// Returns the findings.
    ///
    /// - Parameter now: the time at which the notification arrived; `nil` to leave out what depends on it.
    /// - Returns: the findings; none for topics that only Waypost has.
    package func findings(at now: Timestamp?) -> [NotificationFinding] {
        guard !topic.isOfWaypost, let contract = PushTypeContract.contract(for: pushType, topic: topic) else {
            return []
        }
        return [
            topicFinding(contract), priorityFinding(contract), expirationFinding(contract, at: now), identifierFinding,
        ]
        .compactMap(\.self)
    }

    private func topicFinding(_ contract: PushTypeContract) -> NotificationFinding? {
        switch contract.topic.value {
        case .bundleIdentifier:
            guard !isPushTypeAssumed, let (base, other) = topic.split else { return nil }
            // A bundle identifier may end in the same way, so only a device that has both topics refuses it.
            let hint = "; the push type is \(pushType), whose topic would be \(base)"
            return NotificationFinding(
                code: .topicOfOtherPushType,
                message: "the topic \(topic) ends like those of push type \(other.name)\(hint)"
            )
        case .prefix(let start) where !topic.rawValue.hasPrefix(start):
            return NotificationFinding(
                code: .mdmTopic,
                severity: .error,
                message: "the topic of an mdm push is the UID of the MDM certificate, and begins with '\(start)'"
            )
        case .prefix, .suffix: return nil
        }
    }

    private func priorityFinding(_ contract: PushTypeContract) -> NotificationFinding? {
        guard case .only(let right) = contract.priority.value, priority > right else { return nil }
        return NotificationFinding(
            code: .backgroundPriority,
            severity: .error,
            message: """
                a background push must have priority \(right); APNs calls \(priority), which is also the default, an error
                """
        )
    }

    private func expirationFinding(_ contract: PushTypeContract, at now: Timestamp?) -> NotificationFinding? {
        let latest: Int? = if case .within(let seconds) = contract.expiration.value { seconds } else { nil }
        guard let expiration else {
            guard latest == nil else { return lateExpirationFinding("it has no expiration") }
            return NotificationFinding(
                code: .missingExpiration,
                severity: .note,
                message: "without an expiration it is stored for up to 30 days by Apple's text, but reports differ"
            )
        }
        guard expiration != 0 else { return nil }
        if expiration < Self.year2000 {
            let intended = now.map { "; \(expiration) seconds from now is \($0.seconds + expiration)" } ?? ""
            return NotificationFinding(
                code: .relativeExpiration,
                severity: .error,
                message:
                    "the expiration \(expiration) is a time in \(Self.year(expiration)), so it expires at once\(intended)"
            )
        }
        if expiration >= Self.firstMilliseconds {
            return NotificationFinding(
                code: .expirationInMilliseconds,
                message: "the expiration \(expiration) is in milliseconds; in seconds it is \(expiration / 1_000)"
            )
        }
        guard let now else { return nil }
        if expiration <= now.seconds {
            return NotificationFinding(
                code: .pastExpiration,
                message: "the expiration was \(now.seconds - expiration) seconds ago, so it expires at once"
            )
        }
        guard let latest, expiration > now.seconds + latest else { return nil }
        return lateExpirationFinding("it expires in \(expiration - now.seconds) seconds")
    }

    private func lateExpirationFinding(_ problem: String) -> NotificationFinding {
        NotificationFinding(
            code: .lateExpiration,
            message: "\(problem), but a late \(pushType) push is worthless; use 0 or a few seconds from now"
        )
    }

    /// Returns the year of a time before 2000, in seconds since 1970.
    private static func year(_ seconds: Int) -> Int {
        1_970 + seconds / 31_556_952
    }

    private var identifierFinding: NotificationFinding? {
        guard let id, id.rawValue.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
            return nil
        }
        return NotificationFinding(
            code: .uppercaseID,
            severity: .note,
            message: "the identifier has uppercase letters; APNs writes a UUID in lowercase"
        )
    }
}
