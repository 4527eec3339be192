/// An event of a device, by subject.
///
/// All changes of a device are made by events, including the passing of time. JSON does not have the subjects: an
/// event is an object whose `type` names it, with its fields next to it.
public enum DeviceEvent: Sendable, Equatable {
    /// An event of the device itself: its apps, its snapshots, the passing of time.
    case system(SystemEvent)

    /// An event of Contacts, Messages or links.
    case sharing(SharingEvent)

    /// An event of attribution views.
    case attribution(AttributionEvent)

    /// An event of notifications.
    case notification(NotificationEvent)

    /// An event of the scenes of apps.
    case scene(SceneEvent)

    /// A change of the user's settings.
    case setting(SettingEvent)

    /// An event of the tokens of apps.
    case token(TokenEvent)
}

extension DeviceEvent {
    /// The names of the events: the values of `type`.
    public enum Kind: StringEnum, Hashable {
        case system(SystemEvent.Kind)
        case sharing(SharingEvent.Kind)
        case attribution(AttributionEvent.Kind)
        case notification(NotificationEvent.Kind)
        case scene(SceneEvent.Kind)
        case setting(SettingEvent.Kind)
        case token(TokenEvent.Kind)

        /// All names, by subject.
        public static var allCases: [Self] {
            SystemEvent.Kind.allCases.map(Self.system)
                + SharingEvent.Kind.allCases.map(Self.sharing)
                + AttributionEvent.Kind.allCases.map(Self.attribution)
                + NotificationEvent.Kind.allCases.map(Self.notification)
                + SceneEvent.Kind.allCases.map(Self.scene)
                + SettingEvent.Kind.allCases.map(Self.setting)
                + TokenEvent.Kind.allCases.map(Self.token)
        }

        /// Creates the kind with a name, or `nil` if there is none.
        public init?(rawValue: String) {
            if let kind = SystemEvent.Kind(rawValue: rawValue) {
                self = .system(kind)
            } else if let kind = SharingEvent.Kind(rawValue: rawValue) {
                self = .sharing(kind)
            } else if let kind = AttributionEvent.Kind(rawValue: rawValue) {
                self = .attribution(kind)
            } else if let kind = NotificationEvent.Kind(rawValue: rawValue) {
                self = .notification(kind)
            } else if let kind = SceneEvent.Kind(rawValue: rawValue) {
                self = .scene(kind)
            } else if let kind = SettingEvent.Kind(rawValue: rawValue) {
                self = .setting(kind)
            } else if let kind = TokenEvent.Kind(rawValue: rawValue) {
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
            case .setting(let kind): kind.rawValue
            case .token(let kind): kind.rawValue
            }
        }
    }

    /// The names of the fields that the events have next to their `type`.
    enum Field: String, CodingKey {
        case action, activation, activity, after, answer, app, call, category, conditions, contact, conversation,
            device, displayContext, domain, error, everywhere, failure, file, fileBase64, focus, from, isDevelopment,
            isOn, item, items, language, layout, message, name, notification, page, preferences, preview, purpose,
            request, result, scene, settings, snapshot, source, target, text, token, url, value, view
    }

    /// The name of the event.
    public var kind: Kind {
        taggedValues.kind
    }

    private var taggedValues: TaggedValues<Kind, Field> {
        switch self {
        case .system(let event): (.system(event.taggedValues.kind), event.taggedValues.fields)
        case .sharing(let event): (.sharing(event.taggedValues.kind), event.taggedValues.fields)
        case .attribution(let event): (.attribution(event.taggedValues.kind), event.taggedValues.fields)
        case .notification(let event): (.notification(event.taggedValues.kind), event.taggedValues.fields)
        case .scene(let event): (.scene(event.taggedValues.kind), event.taggedValues.fields)
        case .setting(let event): (.setting(event.taggedValues.kind), event.taggedValues.fields)
        case .token(let event): (.token(event.taggedValues.kind), event.taggedValues.fields)
        }
    }
}

extension DeviceEvent: Codable {
    /// Parses an event: an object whose `type` names it, with its fields next to it.
    public init(from decoder: any Decoder) throws {
        let fields = try TaggedFields<Field>(decoder)
        self =
            switch try fields.kind() as Kind {
            case .system(let kind): .system(try SystemEvent(kind, in: fields))
            case .sharing(let kind): .sharing(try SharingEvent(kind, in: fields))
            case .attribution(let kind): .attribution(try AttributionEvent(kind, in: fields))
            case .notification(let kind): .notification(try NotificationEvent(kind, in: fields))
            case .scene(let kind): .scene(try SceneEvent(kind, in: fields))
            case .setting(let kind): .setting(try SettingEvent(kind, in: fields))
            case .token(let kind): .token(try TokenEvent(kind, in: fields))
            }
    }

    /// Writes the name and the fields of the event into one object.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(taggedValues)
    }
}
