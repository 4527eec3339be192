/// An effect on the device itself, or the absence of one.
public enum SystemEffect: Sendable, Equatable {
    /// The event changed nothing, because its subject does not exist or the change was already made.
    case eventIgnored(IgnoredEvent)

    /// The state of a domain's association file on the device changed.
    case associationUpdated(AssociationFileStatus)

    /// The device was restored; its followers must read its state again.
    case deviceRestored
}

extension SystemEffect {
    /// The names of the effects.
    public enum Kind: String, StringEnum {
        case eventIgnored, associationUpdated, deviceRestored
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEffect.Field>) throws {
        self =
            switch kind {
            case .eventIgnored: try .eventIgnored(fields.read(.ignored))
            case .associationUpdated: try .associationUpdated(fields.read(.association))
            case .deviceRestored: .deviceRestored
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEffect.Field> {
        switch self {
        case .eventIgnored(let reason): (.eventIgnored, [.ignored: reason])
        case .associationUpdated(let file): (.associationUpdated, [.association: file])
        case .deviceRestored: (.deviceRestored, [:])
        }
    }
}
