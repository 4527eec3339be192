import BatchItems
import PushRules
import Testing
import WaypostSchema

/// APNs' rules for the parts of a notification.
@Suite struct NotificationRulesTests {
    private static let rules = NotificationRules(source: .providerRequest)

    /// Returns the reason for which a check refuses a part; `nil` if it accepts the part.
    private static func reason(_ check: (NotificationRules) throws(ProviderRefusal) -> Void) -> RejectionReason? {
        do throws(ProviderRefusal) {
            try check(rules)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        arguments: [
            ("", .missingDeviceToken), ("a", .badDeviceToken), ("xy", .badDeviceToken), ("abc", .badDeviceToken),
            (String(repeating: "ab", count: 100), nil), (String(repeating: "ab", count: 101), .badDeviceToken),
        ] as [(String, RejectionReason?)]
    )
    func tokenIsHexadecimalWithTwoDigitsForEachByte(_ token: String, _ reason: RejectionReason?) {
        #expect(Self.reason { rules throws(ProviderRefusal) in _ = try rules.token(token) } == reason)
    }

    @Test(
        arguments: [
            ("{length = 32, bytes = 0x740f4707 bebcf74f ... 7c25d48e 33589450 }", "only a part of its bytes"),
            ("%7Blength%20=%2032,%20bytes%20=%200x740f4707%20...%20%7D", "only a part of its bytes"),
            ("<740f4707 bebcf74f>", "leave out '<'"), ("%3C740f4707%20bebcf74f%3E", "leave out '<'"),
            ("740f470", "its 7 digits are an odd number"),
            ("null", "a missing value"), ("undefined", "a missing value"), ("(null)", "a missing value"),
            ("dQw4w9WgXcQ:APA91bHun4MxP5egoKMwt2KZFBaFUH", "Firebase Cloud Messaging"),
            ("dA9HB76/z0r3wl1I3zNYlAG/z08=", "base64"), ("dA9HB76z0r3wl1I3zNYlAGz08%3D", "base64"),
        ]
    )
    func messageNamesAKnownMistakeInAToken(_ token: String, _ hint: String) {
        let refusal = #expect(throws: ProviderRefusal.self) { try Self.rules.token(token) }
        #expect(refusal?.message.contains(hint) == true, "\(refusal?.message ?? "")")
        // One that is too long has none of these mistakes.
        let long = String(repeating: "ab", count: 101)
        #expect(#expect(throws: ProviderRefusal.self) { try Self.rules.token(long) }?.message.contains(";") == false)
    }

    @Test func tokenIsInLowercase() throws {
        #expect(try Self.rules.token("00FFaB") == "00ffab")
    }

    @Test(
        arguments: [
            (nil, .missingTopic), ("", .missingTopic), ("com.example.clown-town", nil), ("com example", .badTopic),
            (String(repeating: "a", count: 255), nil), (String(repeating: "a", count: 256), .badTopic),
        ] as [(String?, RejectionReason?)]
    )
    func topicIsABundleIdentifier(_ topic: String?, _ reason: RejectionReason?) {
        #expect(Self.reason { rules throws(ProviderRefusal) in _ = try rules.topic(topic) } == reason)
    }

    @Test(
        arguments: [
            ("voip", "com.example.a", .deviceTokenNotForTopic), ("voip", "com.example.a.voip", nil),
            ("liveactivity", "com.example.a.push-type.liveactivity", nil), ("alert", "com.example.a", nil),
        ] as [(PushType, Topic, RejectionReason?)]
    )
    func topicHasTheSuffixOfItsPushType(_ pushType: PushType, topic: Topic, reason: RejectionReason?) {
        let found = Self.reason { rules throws(ProviderRefusal) in try rules.checkSuffix(of: topic, for: pushType) }
        #expect(found == reason)
    }

    @Test(
        arguments: [
            (10, nil), (5, nil), (1, nil), (0, .badPriority), (7, .badPriority), (nil, .badPriority),
        ] as [(Int?, RejectionReason?)]
    )
    func priorityIsTenFiveOrOne(_ priority: Int?, _ reason: RejectionReason?) {
        #expect(Self.reason { rules throws(ProviderRefusal) in _ = try rules.priority(priority, as: "") } == reason)
    }

    @Test(
        arguments: [(0, nil), (1, nil), (-1, .badExpirationDate), (nil, .badExpirationDate)]
            as [(Int?, RejectionReason?)]
    )
    func expirationIsNotNegative(_ expiration: Int?, _ reason: RejectionReason?) {
        #expect(Self.reason { rules throws(ProviderRefusal) in _ = try rules.expiration(expiration) } == reason)
    }

    @Test func collapseIdentifierHasAtMost64Bytes() throws {
        #expect(try Self.rules.collapseIdentifier("") == nil)
        #expect(try Self.rules.collapseIdentifier(String(repeating: "é", count: 32)) != nil)
        let long = String(repeating: "é", count: 32) + "a"
        #expect(
            Self.reason { rules throws(ProviderRefusal) in _ = try rules.collapseIdentifier(long) } == .badCollapseId
        )
    }

    @Test(
        arguments: [
            ("alert", "com.example.a", 4_096), ("voip", "com.example.a.voip", 5_120),
            ("alert", "waypost.messages", 65_536),
        ] as [(PushType, Topic, Int)]
    )
    func payloadHasTheLimitOfItsPushType(_ pushType: PushType, topic: Topic, limit: Int) {
        func reason(_ size: Int?) -> RejectionReason? {
            Self.reason { rules throws(ProviderRefusal) in
                try rules.checkPayloadSize(size, pushType: pushType, topic: topic)
            }
        }
        #expect(reason(limit) == nil)
        #expect(reason(limit + 1) == .payloadTooLarge)
        #expect(reason(nil) == .payloadTooLarge)
    }

    /// The statuses are those of "Handling notification responses from APNs".
    @Test(
        arguments: [
            (.badDeviceToken, 400), (.badTopic, 400), (.invalidProviderToken, 403), (.expiredProviderToken, 403),
            (.badPath, 404), (.methodNotAllowed, 405), (.unregistered, 410), (.expiredToken, 410),
            (.payloadTooLarge, 413),
            (.tooManyProviderTokenUpdates, 429), (.tooManyRequests, 429), (.internalServerError, 500),
            (.serviceUnavailable, 503), (.shutdown, 503),
        ] as [(RejectionReason, Int)]
    )
    func reasonHasItsStatus(_ reason: RejectionReason, _ status: Int) {
        #expect(reason.status == status)
        #expect(ProviderRefusal(reason, "").status == status)
    }

    @Test func messageOfARefusalIsShort() {
        #expect(ProviderRefusal(.badTopic, String(repeating: "a", count: 1_000)).message.count == 300)
    }
}
