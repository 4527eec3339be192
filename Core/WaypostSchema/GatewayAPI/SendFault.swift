/// A fault to inject into providers' requests for one device or for all, to test how a provider copes.
///
/// A fault sees the requests for its devices that no earlier fault takes. `pattern` or `probability` chooses from them;
/// without either, the fault is injected into each.
public struct SendFault: Codable, Sendable, Equatable {
    /// The kinds of faults.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The gateway answers with `reason`, or with `status` and no body; nothing is delivered.
        case respond

        /// The answer comes `milliseconds` later; the request has been processed by then.
        case delay

        /// The gateway does not answer, and nothing is delivered.
        case hang

        /// The gateway resets the stream, or the connection with HTTP/1.1, and nothing is delivered.
        case reset

        /// The connection ends with `reason` in a GOAWAY frame; nothing is delivered, earlier requests are answered.
        case goAway

        /// If the answer is a rejection, its connection is limited to `streams` until a request on it is accepted.
        case throttle
    }

    /// The token of the device; absent for every device of the namespace that the fault is added to.
    ///
    /// A token that no device has belongs to the namespace `default`.
    public var token: DeviceToken?

    /// The kind of fault.
    public var kind: Kind

    /// The number of requests to inject the fault into; absent for all, until the fault is removed.
    public var times: Int?

    /// The reason of `respond` and `goAway`.
    ///
    /// For `goAway`, `Shutdown` if absent. For `respond`, an answer without it has no body, and needs `status`.
    public var reason: RejectionReason?

    /// The status of `respond`; the status that belongs to the reason if absent.
    public var status: Int?

    /// The time since which the device is unregistered, for `respond` with a reason.
    public var timestamp: Timestamp?

    /// The delay of `delay`.
    public var milliseconds: Int?

    /// The number of frames that `goAway` sends, 1 or 2; 1 if absent.
    public var frames: Int?

    /// The number of streams that `throttle` leaves; 1 if absent.
    public var streams: Int?

    /// The probability with which a request that the fault sees gets it, greater than 0 and at most 1.
    public var probability: Double?

    /// The seed of the choices by `probability`; 0 if absent. The same seed leads to the same choices.
    public var seed: Int?

    /// The choices for the requests that the fault sees, in turn: `x` for the fault, `-` for none.
    ///
    /// It is repeated, has up to 64 characters, and excludes `probability`.
    public var pattern: String?

    /// Creates the value from its parts.
    public init(
        token: DeviceToken? = nil,
        kind: Kind,
        times: Int? = nil,
        reason: RejectionReason? = nil,
        status: Int? = nil,
        timestamp: Timestamp? = nil,
        milliseconds: Int? = nil,
        frames: Int? = nil,
        streams: Int? = nil,
        probability: Double? = nil,
        seed: Int? = nil,
        pattern: String? = nil
    ) {
        self.token = token
        self.kind = kind
        self.times = times
        self.reason = reason
        self.status = status
        self.timestamp = timestamp
        self.milliseconds = milliseconds
        self.frames = frames
        self.streams = streams
        self.probability = probability
        self.seed = seed
        self.pattern = pattern
    }
}
