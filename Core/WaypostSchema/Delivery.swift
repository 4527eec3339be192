/// A notification that is delivered to a device: the `data` of an event in the courier's stream.
///
/// The gateway writes the payload byte for byte as received, except that line breaks between tokens become spaces.
public struct DeliveredNotification: Codable, Sendable, Equatable {
    /// The position among all notifications that the gateway accepted.
    ///
    /// It increases along a stream, with gaps, except for a notification that is sent again, waited for power, or is
    /// transient.
    public var sequence: Int

    /// The notification's identifier, which identifies a repeated delivery.
    public var id: NotificationID

    /// The token of the device.
    public var token: DeviceToken

    /// The topic of the app.
    public var topic: Topic

    /// The push type.
    public var pushType: PushType

    /// The priority: 10, 5 or 1.
    public var priority: Int

    /// The time at which the notification expires, in seconds since 1970.
    public var expiration: Int?

    /// The collapse identifier.
    public var collapseID: CollapseIdentifier?

    /// The place in the sender's trace, from the `traceparent` header of its request; absent if it had none.
    public var traceparent: TraceParent?

    /// The payload.
    public var payload: JSONValue

    /// Creates the value from its parts.
    public init(
        sequence: Int,
        id: NotificationID,
        token: DeviceToken,
        topic: Topic,
        pushType: PushType,
        priority: Int,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil,
        traceparent: TraceParent? = nil,
        payload: JSONValue
    ) {
        self.sequence = sequence
        self.id = id
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.traceparent = traceparent
        self.payload = payload
    }
}

/// A device's acknowledgement of notifications, which removes them from its inbox.
public enum Acknowledgement: Sendable, Equatable {
    /// All notifications sent on the open stream up to and including this sequence.
    case upTo(Int)

    /// These sequences, whenever they were sent.
    case sequences([Int])
}

extension Acknowledgement: Codable {
    private enum CodingKeys: String, CodingKey {
        case upTo
        case sequences
    }

    /// Parses `{"upTo":n}` or `{"sequences":[…]}`; exactly one of the two.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let upTo = try container.decodeIfPresent(Int.self, forKey: .upTo)
        let sequences = try container.decodeIfPresent([Int].self, forKey: .sequences)
        switch (upTo, sequences) {
        case (let upTo?, nil): self = .upTo(upTo)
        case (nil, let sequences?): self = .sequences(sequences)
        default:
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: #"expected {"upTo":n} or {"sequences":[…]}"#
            )
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Writes the only key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .upTo(let sequence): try container.encode(sequence, forKey: .upTo)
        case .sequences(let sequences): try container.encode(sequences, forKey: .sequences)
        }
    }
}

/// The response to an acknowledgement.
public struct AcknowledgementReceipt: Codable, Sendable, Equatable {
    /// The number of notifications that were removed from an inbox; 0 if the acknowledgement is a repetition.
    public var acknowledged: Int

    /// Creates the value from its parts.
    public init(acknowledged: Int) {
        self.acknowledged = acknowledged
    }
}
