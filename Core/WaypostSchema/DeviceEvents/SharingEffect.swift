/// An effect on the highlights of apps.
public enum SharingEffect: Sendable, Equatable {
    /// The device decided, after a pin, whether to offer automatic sharing with an app to the user.
    case automaticSharingConsidered(OfferDecision)

    /// The app is notified that its highlights changed.
    case highlightsChanged(HighlightsUpdate)
}

extension SharingEffect {
    /// The names of the effects.
    public enum Kind: String, StringEnum {
        case automaticSharingConsidered, highlightsChanged
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEffect.Field>) throws {
        self =
            switch kind {
            case .automaticSharingConsidered: try .automaticSharingConsidered(fields.read(.offer))
            case .highlightsChanged: try .highlightsChanged(fields.read(.update))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEffect.Field> {
        switch self {
        case .automaticSharingConsidered(let offer): (.automaticSharingConsidered, [.offer: offer])
        case .highlightsChanged(let update): (.highlightsChanged, [.update: update])
        }
    }
}
