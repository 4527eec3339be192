/// What goes wrong on purpose with what a provider sends to a device, so that the provider can be seen to cope with it.
public struct SendFault: Codable, Sendable, Equatable {
    /// What can go wrong.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The answer is `reason`; nothing is delivered.
        case respond

        /// The answer comes `milliseconds` later; what it says was done by then.
        case delay

        /// There is no answer, and nothing is delivered.
        case hang

        /// The stream is reset, over HTTP/1.1 the connection, and nothing is delivered.
        case reset

        /// The connection ends with `reason` in its GOAWAY frame; nothing is delivered, what came before is answered.
        case goAway

        /// Where the answer is a rejection, its connection has `streams` from then on, until the next acceptance.
        case throttle
    }

    /// The device that is sent to.
    public var token: DeviceToken

    /// What goes wrong.
    public var kind: Kind

    /// With how many sends; absent for all, until the fault is removed.
    public var times: Int?

    /// What `respond` and `goAway` say; `goAway` says `Shutdown` where it is absent.
    public var reason: RejectionReason?

    /// The status of `respond`; absent for the one that goes with its reason.
    public var status: Int?

    /// Since when the device has not been there, which `respond` says.
    public var timestamp: Timestamp?

    /// How long `delay` waits.
    public var milliseconds: Int?

    /// How often `goAway` sends its frame, 1 or 2; once where it is absent.
    public var frames: Int?

    /// How many streams `throttle` leaves; 1 where it is absent.
    public var streams: Int?

    /// Creates the value from its parts.
    public init(
        token: DeviceToken,
        kind: Kind,
        times: Int? = nil,
        reason: RejectionReason? = nil,
        status: Int? = nil,
        timestamp: Timestamp? = nil,
        milliseconds: Int? = nil,
        frames: Int? = nil,
        streams: Int? = nil
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
    }
}

/// The identifier of a scripted fault.
public struct FaultID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A fault that waits for sends.
public struct ScriptedFault: Codable, Sendable, Equatable {
    /// Its identifier.
    public var id: FaultID

    /// What goes wrong, and with what.
    public var fault: SendFault

    /// How many sends it still waits for; absent for all.
    public var left: Int?

    /// Creates the value from its parts.
    public init(id: FaultID, fault: SendFault, left: Int? = nil) {
        self.id = id
        self.fault = fault
        self.left = left
    }
}
