internal import BatchItems
internal import GatewayStore
internal import HTTP2Sessions
internal import LocalService
internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// A provider's request, over HTTP/2 or HTTP/1.1.
struct ProviderRequest: Sendable, Equatable {
    /// The method, such as `POST`.
    var method: String

    /// The path as it was received.
    var path: String

    /// The fields with lowercase names, without pseudo-header fields.
    var fields: [HTTP2Field] = []

    /// The body; empty if it is longer than the limit.
    var body: [UInt8] = []

    /// Whether the body is longer than the limit.
    var isBodyTooLong = false

    /// The number of responses that the gateway had sent when the request arrived (`SenderRecorder.responseCount`).
    var responseCountAtArrival = 0

    /// The number of open streams when the request arrived, its own included; `nil` for HTTP/1.1.
    var openStreams: Int?

    /// The limit of streams that the client had acknowledged then; `nil` if none, and for HTTP/1.1.
    var streamLimit: Int?

    /// The environment of the listener; `nil` if it has none.
    var listenerEnvironment: PushEnvironment?

    /// The environment that the client expects, by the host name; that of the listener if that is not one of Apple's.
    var environment: PushEnvironment? {
        PushEnvironment(host: self["host"]) ?? listenerEnvironment
    }

    /// The value of a field, or its first value if it is repeated.
    subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// The trace that the request belongs to; a repeated header is not valid.
    var trace: RequestTrace {
        let values = fields.lazy.filter { $0.name == RequestTrace.header }.map(\.value)
        return RequestTrace(values.isEmpty ? nil : values.joined(separator: ", "))
    }

    /// Whether the request is for a device.
    var isForDevice: Bool {
        path.hasPrefix("/3/device")
    }

    /// The part of the path after `/3/device/`, or `nil` for any other path.
    var tokenString: Substring? {
        let start = "/3/device/"
        if path.hasPrefix(start) { return Substring(path.utf8.dropFirst(start.utf8.count)) }
        return path == "/3/device" ? "" : nil
    }
}

extension PushEnvironment {
    /// Creates the environment of a host of Apple; `nil` for other hosts.
    init?(host: String?) {
        guard let host, host.containsASCII("push.apple.com") else { return nil }
        self = host.containsASCII("sandbox") || host.containsASCII("development") ? .sandbox : .production
    }
}

/// The fields that APNs defines.
extension ProviderRequest {
    /// Creates the request from an HTTP/2 request.
    init(_ request: HTTP2Request) {
        self.init(method: "", path: "", body: request.body, isBodyTooLong: request.isBodyTooLong)
        openStreams = request.openStreamCount
        streamLimit = request.acknowledgedStreamLimit
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

    /// Checks that no field of APNs is repeated.
    func checkDuplicateHeaders() throws(ProviderRefusal) {
        // A request has few fields, so comparing them all costs less than a set.
        for (index, field) in fields.enumerated() where field.name.hasPrefix("apns-") || field.name == "authorization" {
            guard !fields[..<index].contains(where: { $0.name == field.name }) else {
                throw ProviderRefusal(.duplicateHeaders, "the header '\(field.name)' appears more than once")
            }
        }
    }

    /// The rules for the fields.
    static let rules = NotificationRules(source: .providerRequest)

    /// Returns the UUID in a field, or `nil` if the field is missing.
    func identifier(_ name: String) throws(ProviderRefusal) -> NotificationID? {
        try Self.rules.identifier(self[name], named: name)
    }

    /// The `apns-expiration`, or `nil` if it is missing.
    var expiration: Int? {
        get throws(ProviderRefusal) {
            guard let string = self["apns-expiration"] else { return nil }
            return try Self.rules.expiration(Int(string))
        }
    }

    /// The findings about numbers that are not written in the usual way, and about headers that only answers have.
    var spellingFindings: [NotificationFinding] {
        func finding(_ name: String, _ field: ScannedItem.Field) -> NotificationFinding? {
            guard let string = self[name], let number = Int(string) else { return nil }
            return Self.rules.finding(of: string, number, in: field)
        }
        let ignoredHeader: NotificationFinding? = self["apns-unique-id"].map { _ in
            NotificationFinding(
                code: .ignoredHeader,
                severity: .note,
                message: "apns-unique-id is a header of answers, and ignored in a request"
            )
        }
        return [finding("apns-priority", .priority), finding("apns-expiration", .expiration), ignoredHeader]
            .compactMap(\.self)
    }

    /// The `apns-priority`, or `nil` if it is missing.
    var priority: Int? {
        get throws(ProviderRefusal) {
            guard let string = self["apns-priority"] else { return nil }
            return try Self.rules.priority(Int(string), as: string)
        }
    }
}

extension ProviderRefusal {
    /// Creates the refusal for the store's refusal of a notification.
    init(_ refusal: StoreRefusal, of notification: NewNotification) {
        let rejection = refusal.rejection(of: notification)
        self.init(refusal.reason, rejection.message, since: refusal.invalidSince)
    }

    /// Creates the refusal for a failure of the gateway itself; its log has the details.
    init(_ error: GatewayError) {
        let reason: RejectionReason =
            switch error {
            case .request(.internalError), .store(.failed), .store(.outcomeUnknown): .internalServerError
            case .request(.shuttingDown): .shutdown
            default: .serviceUnavailable
            }
        self.init(reason, error.message)
    }

    /// The same refusal for the delivery log.
    var rejection: Rejection {
        Rejection(status: status, reason: reason, message: message)
    }
}
