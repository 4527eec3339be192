/// A notification on its way to a device: the `data` of an event of the courier's stream.
///
/// The gateway writes the payload byte for byte as it came, but that line breaks between its tokens become spaces.
public struct DeliveredNotification: Codable, Sendable, Equatable {
    /// Its place among everything the gateway accepted; grows, with gaps, along a stream, but for what is
    /// sent again, waited for power or is now or never.
    public var sequence: Int

    /// Its identifier: what tells a delivery that is repeated.
    public var id: NotificationID

    /// The device it is for.
    public var token: DeviceToken

    /// The app it is for.
    public var topic: Topic

    /// What kind of notification it is.
    public var pushType: PushType

    /// 10, 5 or 1.
    public var priority: Int

    /// When it is no longer worth delivering, in seconds since 1970.
    public var expiration: Int?

    /// Its collapse identifier.
    public var collapseID: CollapseIdentifier?

    /// Its payload.
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
        self.payload = payload
    }
}

/// A device's word that it has notifications: they leave its inbox.
public enum Acknowledgement: Sendable, Equatable {
    /// Everything that was sent on the open stream, up to and with this sequence.
    case upTo(Int)

    /// These sequences, whenever they were sent.
    case sequences([Int])
}

extension Acknowledgement: Codable {
    private enum CodingKeys: String, CodingKey {
        case upTo
        case sequences
    }

    /// Reads `{"upTo":n}` or `{"sequences":[…]}`; exactly one of the two.
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

    /// Writes the one key that it has.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .upTo(let sequence): try container.encode(sequence, forKey: .upTo)
        case .sequences(let sequences): try container.encode(sequences, forKey: .sequences)
        }
    }
}

/// The answer to an acknowledgement.
public struct AcknowledgementReceipt: Codable, Sendable, Equatable {
    /// How many notifications left an inbox by it; repeating one counts nothing.
    public var acknowledged: Int

    /// Creates the value from its parts.
    public init(acknowledged: Int) {
        self.acknowledged = acknowledged
    }
}
