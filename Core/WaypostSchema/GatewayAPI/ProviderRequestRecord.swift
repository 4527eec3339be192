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
        fault: SendFault.Kind? = nil
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
    }
}
