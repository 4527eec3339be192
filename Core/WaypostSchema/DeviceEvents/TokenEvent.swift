/// An event of the tokens of apps that have tokens of their own.
public enum TokenEvent: Sendable, Equatable {
    /// An app requested a token; the gateway assigns one.
    case tokenRequested(TokenPurpose)

    /// An app no longer needs its token for a purpose.
    case tokenReleased(TokenPurpose)

    /// The gateway assigned a token.
    case tokenAssigned(TokenPurpose, DeviceToken)

    /// A token is not valid any more: the gateway has unregistered it, or does not have it.
    ///
    /// If an app has the token, another one is requested.
    case tokenInvalidated(DeviceToken)
}

extension TokenEvent {
    /// The names of the events.
    public enum Kind: String, StringEnum {
        case tokenRequested, tokenReleased, tokenAssigned, tokenInvalidated
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEvent.Field>) throws {
        self =
            switch kind {
            case .tokenRequested: try .tokenRequested(fields.read(.purpose))
            case .tokenReleased: try .tokenReleased(fields.read(.purpose))
            case .tokenAssigned: try .tokenAssigned(fields.read(.purpose), fields.read(.token))
            case .tokenInvalidated: try .tokenInvalidated(fields.read(.token))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEvent.Field> {
        switch self {
        case .tokenRequested(let purpose): (.tokenRequested, [.purpose: purpose])
        case .tokenReleased(let purpose): (.tokenReleased, [.purpose: purpose])
        case .tokenAssigned(let purpose, let token): (.tokenAssigned, [.purpose: purpose, .token: token])
        case .tokenInvalidated(let token): (.tokenInvalidated, [.token: token])
        }
    }
}
