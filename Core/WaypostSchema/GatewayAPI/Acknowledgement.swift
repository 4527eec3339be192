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
