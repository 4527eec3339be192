/// An event of an app's scenes, or of something that opens one.
public enum SceneEvent: Sendable, Equatable {
    /// The user opened an app by its icon.
    case appOpened(BundleIdentifier)

    /// The user, or the app, requested a new scene, with or without an activity.
    case sceneCreated(BundleIdentifier, UserActivity?)

    /// The app requested a scene for an activity: one that accepts the content of the activity, or otherwise a new one.
    case sceneRequested(BundleIdentifier, UserActivity)

    /// The user, or the app, brought a scene to the front, with or without an activity.
    case sceneBroughtForward(BundleIdentifier, SceneIdentifier, UserActivity?)

    /// A scene went to the background.
    case sceneBackgrounded(BundleIdentifier, SceneIdentifier)

    /// The system released the memory of a scene; its session is kept.
    case sceneDisconnected(BundleIdentifier, SceneIdentifier)

    /// The user, or the app, closed a scene, which removes its session.
    case sceneClosed(BundleIdentifier, SceneIdentifier)

    /// An app set the activation conditions of one of its scenes.
    case activationConditionsSet(BundleIdentifier, SceneIdentifier, ActivationConditions)

    /// A value of an app changed, which arguments of conditions may name; conditions that are set keep the earlier one.
    case appValueSet(BundleIdentifier, name: String, value: JSONValue)

    /// An app set, or cleared, the state restoration activity of one of its scenes.
    case restorationActivitySet(BundleIdentifier, SceneIdentifier, UserActivity?)

    /// An app set its dynamic quick actions.
    case shortcutItemsSet(BundleIdentifier, [ShortcutItem])

    /// The user performed a quick action of this type.
    case shortcutItemPerformed(BundleIdentifier, type: String)

    /// The user continued an activity of another device, `from`, whose data did not arrive if there is an error.
    case userActivityContinued(BundleIdentifier, UserActivity, from: String?, error: HandoffError? = nil)

    /// The user opened a URL, in an app or on a page in the browser if one is given.
    case urlOpened(String, from: BundleIdentifier?, page: String? = nil)

    /// A process of an app received an activation, so no other process receives it.
    case activationTaken(BundleIdentifier, number: Int)
}

extension SceneEvent {
    /// The names of the events.
    public enum Kind: String, StringEnum {
        case appOpened, sceneCreated, sceneRequested, sceneBroughtForward, sceneBackgrounded, sceneDisconnected,
            sceneClosed, activationConditionsSet, appValueSet, restorationActivitySet, shortcutItemsSet,
            shortcutItemPerformed, userActivityContinued, urlOpened, activationTaken
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEvent.Field>) throws {
        self =
            switch kind {
            case .appOpened: try .appOpened(fields.read(.app))
            case .sceneCreated: try .sceneCreated(fields.read(.app), fields.readIfPresent(.activity))
            case .sceneRequested: try .sceneRequested(fields.read(.app), fields.read(.activity))
            case .sceneBroughtForward:
                try .sceneBroughtForward(fields.read(.app), fields.read(.scene), fields.readIfPresent(.activity))
            case .sceneBackgrounded: try .sceneBackgrounded(fields.read(.app), fields.read(.scene))
            case .sceneDisconnected: try .sceneDisconnected(fields.read(.app), fields.read(.scene))
            case .sceneClosed: try .sceneClosed(fields.read(.app), fields.read(.scene))
            case .activationConditionsSet:
                try .activationConditionsSet(fields.read(.app), fields.read(.scene), fields.read(.conditions))
            case .appValueSet:
                try .appValueSet(fields.read(.app), name: fields.read(.name), value: fields.read(.value))
            case .restorationActivitySet:
                try .restorationActivitySet(fields.read(.app), fields.read(.scene), fields.readIfPresent(.activity))
            case .shortcutItemsSet: try .shortcutItemsSet(fields.read(.app), fields.read(.items))
            case .shortcutItemPerformed: try .shortcutItemPerformed(fields.read(.app), type: fields.read(.item))
            case .userActivityContinued:
                try .userActivityContinued(
                    fields.read(.app),
                    fields.read(.activity),
                    from: fields.readIfPresent(.from),
                    error: fields.readIfPresent(.error)
                )
            case .urlOpened:
                try .urlOpened(fields.read(.url), from: fields.readIfPresent(.from), page: fields.readIfPresent(.page))
            case .activationTaken: try .activationTaken(fields.read(.app), number: fields.read(.activation))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEvent.Field> {
        switch self {
        case .appOpened(let app): (.appOpened, [.app: app])
        case .sceneCreated(let app, let activity): (.sceneCreated, [.app: app, .activity: activity])
        case .sceneRequested(let app, let activity): (.sceneRequested, [.app: app, .activity: activity])
        case .sceneBroughtForward(let app, let scene, let activity):
            (.sceneBroughtForward, [.app: app, .scene: scene, .activity: activity])
        case .sceneBackgrounded(let app, let scene): (.sceneBackgrounded, [.app: app, .scene: scene])
        case .sceneDisconnected(let app, let scene): (.sceneDisconnected, [.app: app, .scene: scene])
        case .sceneClosed(let app, let scene): (.sceneClosed, [.app: app, .scene: scene])
        case .activationConditionsSet(let app, let scene, let conditions):
            (.activationConditionsSet, [.app: app, .scene: scene, .conditions: conditions])
        case .appValueSet(let app, let name, let value):
            (.appValueSet, [.app: app, .name: name, .value: value])
        case .restorationActivitySet(let app, let scene, let activity):
            (.restorationActivitySet, [.app: app, .scene: scene, .activity: activity])
        case .shortcutItemsSet(let app, let items): (.shortcutItemsSet, [.app: app, .items: items])
        case .shortcutItemPerformed(let app, let item): (.shortcutItemPerformed, [.app: app, .item: item])
        case .userActivityContinued(let app, let activity, let device, let error):
            (.userActivityContinued, [.app: app, .activity: activity, .from: device, .error: error])
        case .urlOpened(let url, let app, let page): (.urlOpened, [.url: url, .from: app, .page: page])
        case .activationTaken(let app, let number): (.activationTaken, [.app: app, .activation: number])
        }
    }
}
