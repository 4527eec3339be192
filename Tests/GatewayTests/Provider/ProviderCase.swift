import Testing
import WaypostSchema

/// A request of a provider and the expected answer.
struct ProviderCase: Sendable, CustomTestStringConvertible {
    /// The devices whose tokens a path can contain.
    enum Device: String, CaseIterable {
        case active = "ACTIVE"
        case expired = "EXPIRED"
        case unregistered = "UNREGISTERED"
    }

    var name: String
    var method = "POST"
    var path = "/3/device/ACTIVE"
    var fields: [(String, String)]
    var body: String? = #"{"aps":{"alert":"Honk"}}"#
    var status: Int
    var reason: RejectionReason?

    var testDescription: String {
        name
    }

    /// The header fields of every request.
    static let plain = [("apns-topic", "com.example.clowntown"), ("apns-push-type", "alert")]

    /// Creates a plain request with changed fields; `nil` removes a field.
    init(
        _ name: String,
        _ reason: RejectionReason?,
        _ status: Int = 400,
        method: String = "POST",
        path: String = "/3/device/ACTIVE",
        with changes: [(String, String?)] = [],
        body: String? = #"{"aps":{"alert":"Honk"}}"#
    ) {
        let changed = Set(changes.map(\.0))
        fields = Self.plain.filter { !changed.contains($0.0) }
        fields += changes.compactMap { name, value in value.map { (name, $0) } }
        (self.name, self.reason, self.method, self.path, self.body) = (name, reason, method, path, body)
        self.status = reason == nil ? 200 : status
    }

    static let all: [Self] = [
        Self("a valid request", nil),
        Self("an uppercase identifier", nil, with: [("apns-id", "123E4567-E89B-42D3-A456-426614174000")]),
        Self("expiration 0", nil, with: [("apns-expiration", "0")]),
        Self("a payload of 4096 bytes", nil, body: payload(of: 4_096)),
        Self("a VoIP payload of 5120 bytes", nil, with: voip, body: payload(of: 5_120)),
        Self("no apns-push-type", nil, with: [("apns-push-type", nil)]),
        Self("another path", .badPath, 404, path: "/4/device/ACTIVE"),
        Self("a path with an additional component", .badPath, 404, path: "/3/device/ACTIVE/more"),
        Self("another method", .methodNotAllowed, 405, method: "PUT"),
        Self("a repeated header", .duplicateHeaders, with: [("apns-priority", "5"), ("apns-priority", "5")]),
        Self("an invalid identifier", .badMessageId, with: [("apns-id", "1")]),
        Self("an invalid expiration", .badExpirationDate, with: [("apns-expiration", "tomorrow")]),
        Self("an expiration before 1970", .badExpirationDate, with: [("apns-expiration", "-1")]),
        Self("an invalid priority", .badPriority, with: [("apns-priority", "7")]),
        Self(
            "a long collapse identifier",
            .badCollapseId,
            with: [("apns-collapse-id", String(repeating: "x", count: 65))]
        ),
        Self("an unknown push type", .invalidPushType, with: [("apns-push-type", "telegram")]),
        Self("no topic", .missingTopic, with: [("apns-topic", nil)]),
        Self("an invalid topic", .badTopic, with: [("apns-topic", "com.example clowntown")]),
        Self("a topic without its suffix", .deviceTokenNotForTopic, with: [("apns-push-type", "voip")]),
        Self("a topic of another app", .deviceTokenNotForTopic, with: [("apns-topic", "com.example.other")]),
        Self("no token", .missingDeviceToken, path: "/3/device/"),
        Self("a path that ends after `device`", .missingDeviceToken, path: "/3/device"),
        Self("an invalid token", .badDeviceToken, path: "/3/device/clown"),
        Self("an unknown token", .badDeviceToken, path: "/3/device/00ff"),
        Self("an unregistered device", .unregistered, 410, path: "/3/device/UNREGISTERED"),
        Self("an expired token", .expiredToken, 410, path: "/3/device/EXPIRED"),
        Self("no body", .payloadEmpty, body: nil),
        Self("an empty body", .payloadEmpty, body: ""),
        Self("a body that is not JSON", .payloadEmpty, body: "Honk"),
        Self("a body that is not an object", .payloadEmpty, body: "[1]"),
        Self("a payload that is too large", .payloadTooLarge, 413, body: payload(of: 4_097)),
        Self("a VoIP payload that is too large", .payloadTooLarge, 413, with: voip, body: payload(of: 5_121)),
        Self("a payload that is far too large", .payloadTooLarge, 413, body: payload(of: 100_000)),
    ]

    private static let voip =
        [("apns-push-type", "voip"), ("apns-topic", "com.example.clowntown.voip")] as [(String, String?)]

    /// Returns a payload of `size` bytes.
    static func payload(of size: Int) -> String {
        let (start, end) = (#"{"aps":{"alert":""#, #""}}"#)
        return start + String(repeating: "x", count: size - start.utf8.count - end.utf8.count) + end
    }
}
