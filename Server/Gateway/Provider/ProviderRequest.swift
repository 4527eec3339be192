internal import BatchItems
internal import GatewayStore
internal import HTTP2Sessions
internal import LocalService
internal import WaypostSchema

/// A request of a provider, whichever HTTP brought it.
struct ProviderRequest: Sendable, Equatable {
    /// The method, such as `POST`.
    var method: String

    /// The path as it came.
    var path: String

    /// The fields, their names in lower case, without those of the protocol.
    var fields: [HTTP2Field]

    /// The body; what is over the limit is left out.
    var body: [UInt8]

    /// Whether the body is longer than what is kept of one.
    var isBodyTooLong = false

    /// Creates the request from its parts.
    init(method: String, path: String, fields: [HTTP2Field] = [], body: [UInt8] = [], isBodyTooLong: Bool = false) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
        self.isBodyTooLong = isBodyTooLong
    }

    /// Reads a request that came over HTTP/2.
    init(_ request: HTTP2Request) {
        self.init(method: "", path: "", body: request.body, isBodyTooLong: request.isBodyTooLong)
        fields.reserveCapacity(request.fields.count)
        for field in request.fields {
            switch field.name {
            case ":method": method = field.value
            case ":path": path = field.value
            case ":authority": fields.append(HTTP2Field("host", field.value))
            case _ where field.name.hasPrefix(":"): break
            default: fields.append(field)
            }
        }
    }

    /// The environment that the client believes it talks to, by the name of the host; `nil` where that does not tell.
    var environment: PushEnvironment? {
        guard let host = self["host"]?.lowercased(), host.contains("push.apple.com") else { return nil }
        return host.contains("sandbox") || host.contains("development") ? .sandbox : .production
    }

    /// Adds the topic that is meant where none is named.
    mutating func addTopic(_ topic: Topic) {
        if self["apns-topic"] == nil { fields.append(HTTP2Field("apns-topic", topic.rawValue)) }
    }

    /// The value of a field; the first where it is repeated.
    subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// Whether it goes to a device.
    var isForDevice: Bool {
        path.hasPrefix("/3/device")
    }

    /// What stands in the path where a device token does; `nil` where the path is another.
    var tokenText: Substring? {
        let start = "/3/device/"
        if path.hasPrefix(start) { return path.dropFirst(start.count) }
        return path == "/3/device" ? "" : nil
    }
}

/// The fields that have a meaning, by the rules of APNs.
extension ProviderRequest {
    /// Checks that no field that has a meaning comes twice.
    func checkRepetition() throws(ProviderRefusal) {
        var seen: Set<String> = []
        for field in fields where field.name.hasPrefix("apns-") || field.name == "authorization" {
            guard seen.insert(field.name).inserted else {
                throw ProviderRefusal(.duplicateHeaders, "the header '\(field.name)' comes more than once")
            }
        }
    }

    /// The rules for its fields.
    static let rules = NotificationRules(source: .providerRequest)

    /// Returns the UUID of a field; `nil` if there is none.
    func identifier(_ name: String) throws(ProviderRefusal) -> NotificationID? {
        try Self.rules.identifier(self[name], named: name)
    }

    /// The `apns-expiration`; `nil` if there is none.
    var expiration: Int? {
        get throws(ProviderRefusal) {
            guard let text = self["apns-expiration"] else { return nil }
            return try Self.rules.expiration(Int(text))
        }
    }

    /// The `apns-priority`; `nil` if there is none.
    var priority: Int? {
        get throws(ProviderRefusal) {
            guard let text = self["apns-priority"] else { return nil }
            return try Self.rules.priority(Int(text), as: text)
        }
    }
}

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

    /// The part of the notification that is wrong, if it is one.
    var field: ScannedItem.Field?

    /// The most characters of a message, which may repeat what was sent.
    private static let longestMessage = 300

    /// Creates the refusal from its parts; its status is the one that goes with the reason, unless another is asked for.
    init(
        _ reason: RejectionReason,
        _ message: String,
        since timestamp: Timestamp? = nil,
        status: Int? = nil,
        field: ScannedItem.Field? = nil
    ) {
        self.reason = reason
        self.status = status ?? reason.status
        self.message = String(message.prefix(Self.longestMessage))
        self.timestamp = timestamp
        self.field = field
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
