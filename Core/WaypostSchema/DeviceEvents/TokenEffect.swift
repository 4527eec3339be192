/// An effect on the tokens of apps that have tokens of their own.
public enum TokenEffect: Sendable, Equatable {
    /// An app has another token for a purpose, or none if the token is `nil`.
    case tokenChanged(TokenPurpose, DeviceToken?)
}

extension TokenEffect {
    /// The names of the effects.
    public enum Kind: String, StringEnum {
        case tokenChanged
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEffect.Field>) throws {
        self =
            switch kind {
            case .tokenChanged: try .tokenChanged(fields.read(.purpose), fields.readIfPresent(.token))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEffect.Field> {
        switch self {
        case .tokenChanged(let purpose, let token): (.tokenChanged, [.purpose: purpose, .token: token])
        }
    }
}
