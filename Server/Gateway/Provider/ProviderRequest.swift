internal import HTTP2Sessions
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

    /// Returns the UUID of a field; `nil` where there is none.
    func identifier(_ name: String) throws(ProviderRefusal) -> NotificationID? {
        guard let text = self[name] else { return nil }
        guard text.isCanonicalUUID else {
            throw ProviderRefusal(
                .badMessageId,
                "the \(name) must be a UUID such as 123e4567-e89b-42d3-a456-426614174000"
            )
        }
        return NotificationID(rawValue: text)
    }

    /// The `apns-expiration`; `nil` where there is none.
    var expiration: Int? {
        get throws(ProviderRefusal) {
            guard let text = self["apns-expiration"] else { return nil }
            guard let expiration = Int(text), expiration >= 0 else {
                throw ProviderRefusal(
                    .badExpirationDate,
                    "the apns-expiration must be seconds since 1970, or 0 for now or never"
                )
            }
            return expiration
        }
    }

    /// The `apns-priority`; `nil` where there is none.
    var priority: Int? {
        get throws(ProviderRefusal) {
            guard let text = self["apns-priority"] else { return nil }
            guard let priority = Int(text), [10, 5, 1].contains(priority) else {
                throw ProviderRefusal(.badPriority, "the apns-priority is '\(text)'; 10, 5 and 1 are accepted")
            }
            return priority
        }
    }

    /// The `apns-collapse-id`; `nil` where there is none.
    var collapseIdentifier: CollapseIdentifier? {
        get throws(ProviderRefusal) {
            guard let text = self["apns-collapse-id"], !text.isEmpty else { return nil }
            let limit = NotificationRules.maximumCollapseIdentifier
            guard text.utf8.count <= limit else {
                let message = "the apns-collapse-id has \(text.utf8.count) bytes; at most \(limit) are accepted"
                throw ProviderRefusal(.badCollapseId, message)
            }
            return CollapseIdentifier(rawValue: text)
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
