/// A request of a provider to a device, and its response.
///
/// The gateway remembers the last ones.
public struct ProviderRequestRecord: Codable, Sendable, Equatable {
    /// The number of the request, counted over all namespaces since the gateway started.
    public var number: Int

    /// The time at which the gateway decided about the request, by the system's clock.
    public var at: Timestamp

    /// The device token; absent if the request has none that is valid.
    public var token: DeviceToken?

    /// The `apns-id` of the response; absent if there is no response, or not yet, and for an `apns-id` that is no UUID.
    public var id: NotificationID?

    /// The HTTP status of the response; absent if there is no response, or not yet.
    public var status: Int?

    /// The reason of the refusal.
    public var reason: RejectionReason?

    /// A human-readable description of the refusal.
    public var message: String?

    /// The findings about the notification; absent if there are none.
    public var findings: [NotificationFinding]?

    /// The kind of the fault that was injected; absent if there was none.
    public var fault: SendFault.Kind?

    /// The number of the connection (`ProviderConnectionRecord.number`).
    public var connection: Int?

    /// The number of open streams on the connection when the request arrived, its own included; absent for HTTP/1.1.
    public var openStreams: Int?

    /// The limit of streams that the provider had acknowledged when the request arrived.
    ///
    /// Absent for HTTP/1.1, or if it had acknowledged none.
    public var streamLimit: Int?

    /// The number of the provider token (`ProviderTokenUse.number`).
    ///
    /// Absent if the request has none, or if there were too many.
    public var providerToken: Int?

    /// The time of the response, by the system's clock; absent if there is no response, or not yet.
    public var answeredAt: Timestamp?

    /// The headers that begin with `apns-`, and `:authority` as `host`; absent unless the gateway keeps them.
    public var headers: [String: String]?

    /// The body as text, up to 6,144 bytes; absent unless the gateway keeps it.
    public var body: String?

    /// Creates the value from its parts.
    public init(
        number: Int,
        at: Timestamp,
        token: DeviceToken? = nil,
        id: NotificationID? = nil,
        status: Int? = nil,
        reason: RejectionReason? = nil,
        message: String? = nil,
        findings: [NotificationFinding]? = nil,
        fault: SendFault.Kind? = nil,
        connection: Int? = nil,
        openStreams: Int? = nil,
        streamLimit: Int? = nil,
        providerToken: Int? = nil,
        answeredAt: Timestamp? = nil,
        headers: [String: String]? = nil,
        body: String? = nil
    ) {
        self.number = number
        self.at = at
        self.token = token
        self.id = id
        self.status = status
        self.reason = reason
        self.message = message
        self.findings = findings
        self.fault = fault
        self.connection = connection
        self.openStreams = openStreams
        self.streamLimit = streamLimit
        self.providerToken = providerToken
        self.answeredAt = answeredAt
        self.headers = headers
        self.body = body
    }
}
