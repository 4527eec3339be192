/// An effect on scenes, or on websites and activities that open instead.
public enum SceneEffect: Sendable, Equatable {
    /// A scene of an app was activated for a notification.
    case sceneActivated(OpenedScene)

    /// A scene of an app was activated for something else.
    case sceneOpened(OpenedScene)

    /// A scene went to the background, was disconnected or was closed.
    case sceneLeft(SceneDeparture)

    /// A URL opened in an app or as a website.
    case urlOpened(OpenedURL)

    /// An activity of another device can be continued.
    case activityOffered(OfferedActivity)

    /// The device has no such notification, so nothing was opened.
    case nothingToOpen(NotificationID)
}

extension SceneEffect {
    /// The names of the effects.
    public enum Kind: String, StringEnum {
        case sceneActivated, sceneOpened, sceneLeft, urlOpened, activityOffered, nothingToOpen
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEffect.Field>) throws {
        self =
            switch kind {
            case .sceneActivated: try .sceneActivated(fields.read(.opened))
            case .sceneOpened: try .sceneOpened(fields.read(.scene))
            case .sceneLeft: try .sceneLeft(fields.read(.departure))
            case .urlOpened: try .urlOpened(fields.read(.url))
            case .activityOffered: try .activityOffered(fields.read(.activity))
            case .nothingToOpen: try .nothingToOpen(fields.read(.notification))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEffect.Field> {
        switch self {
        case .sceneActivated(let scene): (.sceneActivated, [.opened: scene])
        case .sceneOpened(let scene): (.sceneOpened, [.scene: scene])
        case .sceneLeft(let departure): (.sceneLeft, [.departure: departure])
        case .urlOpened(let url): (.urlOpened, [.url: url])
        case .activityOffered(let activity): (.activityOffered, [.activity: activity])
        case .nothingToOpen(let notification): (.nothingToOpen, [.notification: notification])
        }
    }
}
