/// A reaction of a device to an event, by subject.
///
/// JSON does not have the subjects: an effect is an object whose `type` names it, with its fields next to it.
public enum DeviceEffect: Sendable, Equatable {
    /// An effect on the device itself.
    case system(SystemEffect)

    /// An effect on the highlights of apps.
    case sharing(SharingEffect)

    /// An effect on attribution views.
    case attribution(AttributionEffect)

    /// An effect on notifications.
    case notification(NotificationEffect)

    /// An effect on the scenes of apps.
    case scene(SceneEffect)

    /// An effect on the tokens of apps.
    case token(TokenEffect)
}

extension DeviceEffect {
    /// The names of the effects: the values of `type`.
    public enum Kind: StringEnum, Hashable {
        case system(SystemEffect.Kind)
        case sharing(SharingEffect.Kind)
        case attribution(AttributionEffect.Kind)
        case notification(NotificationEffect.Kind)
        case scene(SceneEffect.Kind)
        case token(TokenEffect.Kind)

        /// All names, by subject.
        public static var allCases: [Self] {
            SystemEffect.Kind.allCases.map(Self.system)
                + SharingEffect.Kind.allCases.map(Self.sharing)
                + AttributionEffect.Kind.allCases.map(Self.attribution)
                + NotificationEffect.Kind.allCases.map(Self.notification)
                + SceneEffect.Kind.allCases.map(Self.scene)
                + TokenEffect.Kind.allCases.map(Self.token)
        }

        /// Creates the kind with a name, or `nil` if there is none.
        public init?(rawValue: String) {
            if let kind = SystemEffect.Kind(rawValue: rawValue) {
                self = .system(kind)
            } else if let kind = SharingEffect.Kind(rawValue: rawValue) {
                self = .sharing(kind)
            } else if let kind = AttributionEffect.Kind(rawValue: rawValue) {
                self = .attribution(kind)
            } else if let kind = NotificationEffect.Kind(rawValue: rawValue) {
                self = .notification(kind)
            } else if let kind = SceneEffect.Kind(rawValue: rawValue) {
                self = .scene(kind)
            } else if let kind = TokenEffect.Kind(rawValue: rawValue) {
                self = .token(kind)
            } else {
                return nil
            }
        }

        /// The name.
        public var rawValue: String {
            switch self {
            case .system(let kind): kind.rawValue
            case .sharing(let kind): kind.rawValue
            case .attribution(let kind): kind.rawValue
            case .notification(let kind): kind.rawValue
            case .scene(let kind): kind.rawValue
            case .token(let kind): kind.rawValue
            }
        }
    }

    /// The names of the fields that the effects have next to their `type`.
    enum Field: String, CodingKey {
        case activity, app, association, attribution, call, conversation, departure, disambiguation, ignored,
            liveActivity, menuItem, message, notification, offer, opened, place, presentation, purpose, recipients,
            scene, token, topic, update, url
    }

    /// The name of the effect.
    public var kind: Kind {
        taggedValues.kind
    }

    private var taggedValues: TaggedValues<Kind, Field> {
        switch self {
        case .system(let effect): (.system(effect.taggedValues.kind), effect.taggedValues.fields)
        case .sharing(let effect): (.sharing(effect.taggedValues.kind), effect.taggedValues.fields)
        case .attribution(let effect): (.attribution(effect.taggedValues.kind), effect.taggedValues.fields)
        case .notification(let effect): (.notification(effect.taggedValues.kind), effect.taggedValues.fields)
        case .scene(let effect): (.scene(effect.taggedValues.kind), effect.taggedValues.fields)
        case .token(let effect): (.token(effect.taggedValues.kind), effect.taggedValues.fields)
        }
    }
}

extension DeviceEffect: Codable {
    /// Parses an effect: an object whose `type` names it, with its fields next to it.
    public init(from decoder: any Decoder) throws {
        let fields = try TaggedFields<Field>(decoder)
        self =
            switch try fields.kind() as Kind {
            case .system(let kind): .system(try SystemEffect(kind, in: fields))
            case .sharing(let kind): .sharing(try SharingEffect(kind, in: fields))
            case .attribution(let kind): .attribution(try AttributionEffect(kind, in: fields))
            case .notification(let kind): .notification(try NotificationEffect(kind, in: fields))
            case .scene(let kind): .scene(try SceneEffect(kind, in: fields))
            case .token(let kind): .token(try TokenEffect(kind, in: fields))
            }
    }

    /// Writes the name and the fields of the effect into one object.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(taggedValues)
    }
}
