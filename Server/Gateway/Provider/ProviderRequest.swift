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

    private static let rules = NotificationRules(source: .providerRequest)

    /// Returns the UUID of a field; `nil` if there is none.
    func identifier(_ name: String) throws(ProviderRefusal) -> NotificationID? {
        let text = self[name]
        return try Self.checked { rules throws(NotificationRules.Violation) in try rules.identifier(text, named: name) }
    }

    /// The `apns-expiration`; `nil` if there is none.
    var expiration: Int? {
        get throws(ProviderRefusal) {
            guard let text = self["apns-expiration"] else { return nil }
            return try Self.checked { rules throws(NotificationRules.Violation) in try rules.expiration(Int(text)) }
        }
    }

    /// The `apns-priority`; `nil` if there is none.
    var priority: Int? {
        get throws(ProviderRefusal) {
            guard let text = self["apns-priority"] else { return nil }
            return try Self.checked { rules throws(NotificationRules.Violation) in
                try rules.priority(Int(text), as: text)
            }
        }
    }

    /// Applies a rule; what breaks it is refused.
    static func checked<Value>(
        _ rule: (NotificationRules) throws(NotificationRules.Violation) -> Value
    ) throws(ProviderRefusal) -> Value {
        do throws(NotificationRules.Violation) {
            return try rule(rules)
        } catch {
            throw ProviderRefusal(error.reason, error.message)
        }
    }
}
