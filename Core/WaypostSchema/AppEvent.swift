/// Something that a process of an app is told.
///
/// It has no place for a person, a conversation or a word of a message.
public enum AppEvent: Sendable, Equatable {
    /// A scene is connected in the process, with what brought it to the front (`scene(_:willConnectTo:options:)`).
    case sceneConnected(ConnectedScene)

    /// A connected scene was brought to the front for something.
    case sceneActivated(SceneActivation)

    /// A connected scene is in another state than it was.
    case sceneChanged(SceneChange)

    /// The app's highlights changed (`highlightCenterHighlightsDidChange(_:)`).
    case highlightsChanged(HighlightsUpdate)

    /// An attribution view that the app asked for is there, or has another size or menu.
    case attributionProvided(AttributionView)

    /// Something of the device covers the app, or does no more.
    case presentationChanged(PresentationNotice)

    /// The person chose an item of the app's own in an attribution view's menu.
    case menuItemChosen(ChosenMenuItem)

    /// Nothing more comes on this stream.
    case detached(DetachReason)
}

/// A scene that is connected in a process, and what it is connected with (`UIScene.ConnectionOptions`).
public struct ConnectedScene: Codable, Sendable, Equatable {
    /// The session, with what the scene is restored with.
    public var session: SceneSession

    /// What brought the scene to the front, in the order in which it did.
    public var connectionOptions: [SceneActivation]

    /// Creates the value from its parts.
    public init(session: SceneSession, connectionOptions: [SceneActivation] = []) {
        self.session = session
        self.connectionOptions = connectionOptions
    }
}

/// A state that a scene of an app came into, as the app is told.
public struct SceneChange: Codable, Sendable, Equatable {
    /// What became of the scene.
    public enum State: String, StringChoice {
        /// It is on screen and takes events.
        case foregroundActive

        /// It is on screen and takes no events.
        case foregroundInactive

        /// It is not on screen.
        case background

        /// It is not in memory; its session is kept.
        case disconnected

        /// Its session is gone.
        case discarded
    }

    /// The scene.
    public var scene: SceneIdentifier

    /// What became of it.
    public var state: State

    /// Creates the value from its parts.
    public init(scene: SceneIdentifier, state: State) {
        self.scene = scene
        self.state = state
    }
}

/// Why a process of an app is told nothing more.
public enum DetachReason: String, StringChoice {
    /// The app was removed from the device, or is another version now.
    case removed

    /// Another process of the app attached.
    case replaced

    /// The process did not read what it was told.
    case tooSlow

    /// The device is as it was before: what the process knows may be true no more.
    case restored

    /// The agent is shutting down.
    case shutdown
}

extension AppEvent: Codable {
    /// The names of the events, the `type` of each.
    public enum Kind: String, StringChoice {
        case sceneConnected
        case sceneActivated
        case sceneChanged
        case highlightsChanged
        case attributionProvided
        case presentationChanged
        case menuItemChosen
        case detached
    }

    private enum Field: String, CodingKey {
        case type
        case activation
        case attribution
        case change
        case menuItem
        case presentation
        case reason
        case scene
        case update
    }

    /// Reads an event: an object whose `type` names it.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        func read<Value: Decodable>(_ field: Field) throws -> Value {
            try fields.decode(Value.self, forKey: field)
        }
        self =
            switch try fields.decode(Kind.self, forKey: .type) {
            case .sceneConnected: .sceneConnected(try read(.scene))
            case .sceneActivated: .sceneActivated(try read(.activation))
            case .sceneChanged: .sceneChanged(try read(.change))
            case .highlightsChanged: .highlightsChanged(try read(.update))
            case .attributionProvided: .attributionProvided(try read(.attribution))
            case .presentationChanged: .presentationChanged(try read(.presentation))
            case .menuItemChosen: .menuItemChosen(try read(.menuItem))
            case .detached: .detached(try read(.reason))
            }
    }

    /// Writes the event's name and what it is about.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        func write(_ kind: Kind, _ field: Field, _ value: some Encodable) throws {
            try fields.encode(kind, forKey: .type)
            try fields.encode(value, forKey: field)
        }
        switch self {
        case .sceneConnected(let scene): try write(.sceneConnected, .scene, scene)
        case .sceneActivated(let activation): try write(.sceneActivated, .activation, activation)
        case .sceneChanged(let change): try write(.sceneChanged, .change, change)
        case .highlightsChanged(let update): try write(.highlightsChanged, .update, update)
        case .attributionProvided(let view): try write(.attributionProvided, .attribution, view)
        case .presentationChanged(let notice): try write(.presentationChanged, .presentation, notice)
        case .menuItemChosen(let chosen): try write(.menuItemChosen, .menuItem, chosen)
        case .detached(let reason): try write(.detached, .reason, reason)
        }
    }
}
