/// An event that the agent sends to a process of an app.
///
/// An event never contains a contact, a conversation or the text of a message.
public enum AppEvent: Sendable, Equatable {
    /// A scene was connected in the process, with its activations (`scene(_:willConnectTo:options:)`).
    case sceneConnected(ConnectedScene)

    /// A scene that connected restores the state of its session (`scene(_:restoreInteractionStateWith:)`).
    case interactionStateRestored(RestoredInteractionState)

    /// A connected scene will continue an activity of another device (`scene(_:willContinueUserActivityWithType:)`).
    case userActivityAnnounced(AnnouncedUserActivity)

    /// A connected scene was activated; the activation names the method that receives it.
    case sceneActivated(SceneActivation)

    /// The state of a connected scene changed, one call at a time (`sceneWillEnterForeground(_:)` and the like).
    case sceneChanged(SceneChange)

    /// The app's highlights changed (`highlightCenterHighlightsDidChange(_:)`).
    case highlightsChanged(HighlightsUpdate)

    /// An attribution view that the app requested is available, or its size or menu changed.
    case attributionProvided(AttributionView)

    /// System UI started or stopped covering the app.
    case presentationChanged(PresentationNotice)

    /// The user chose one of the app's own items in the menu of an attribution view.
    case menuItemChosen(ChosenMenuItem)

    /// The user tapped Show More of the app's shelf, so the app shows all its highlights.
    case showMoreTapped

    /// The system calls a function of the app, which must finish the call.
    case called(AppCall)

    /// A Live Activity of the app started, changed, ended or disappeared.
    case liveActivityChanged(LiveActivity)

    /// The app has another token for a purpose, or none if the token is `nil`.
    ///
    /// The method is Apple's name of the call that returns the token, `nil` for none.
    case tokenChanged(TokenPurpose, DeviceToken?, method: String?)

    /// The process receives no more events on this stream.
    case detached(DetachReason)
}

extension AppEvent: Codable {
    /// The names of the events: the values of `type`.
    public enum Kind: String, StringEnum {
        case sceneConnected
        case interactionStateRestored
        case userActivityAnnounced
        case sceneActivated
        case sceneChanged
        case highlightsChanged
        case attributionProvided
        case presentationChanged
        case menuItemChosen
        case showMoreTapped
        case called
        case liveActivityChanged
        case tokenChanged
        case detached
    }

    private enum Field: String, CodingKey {
        case activation
        case announcement
        case attribution
        case call
        case change
        case liveActivity
        case menuItem
        case method
        case presentation
        case purpose
        case reason
        case restoration
        case scene
        case token
        case update
    }

    /// Parses an event: an object whose `type` names it.
    public init(from decoder: any Decoder) throws {
        let fields = try TaggedFields<Field>(decoder)
        self =
            switch try fields.kind() as Kind {
            case .sceneConnected: .sceneConnected(try fields.read(.scene))
            case .interactionStateRestored: .interactionStateRestored(try fields.read(.restoration))
            case .userActivityAnnounced: .userActivityAnnounced(try fields.read(.announcement))
            case .sceneActivated: .sceneActivated(try fields.read(.activation))
            case .sceneChanged: .sceneChanged(try fields.read(.change))
            case .highlightsChanged: .highlightsChanged(try fields.read(.update))
            case .attributionProvided: .attributionProvided(try fields.read(.attribution))
            case .presentationChanged: .presentationChanged(try fields.read(.presentation))
            case .menuItemChosen: .menuItemChosen(try fields.read(.menuItem))
            case .showMoreTapped: .showMoreTapped
            case .called: .called(try fields.read(.call))
            case .liveActivityChanged: .liveActivityChanged(try fields.read(.liveActivity))
            case .tokenChanged:
                .tokenChanged(
                    try fields.read(.purpose),
                    try fields.readIfPresent(.token),
                    method: try fields.readIfPresent(.method)
                )
            case .detached: .detached(try fields.read(.reason))
            }
    }

    /// Writes the name and the fields of the event.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(taggedValues)
    }

    private var taggedValues: TaggedValues<Kind, Field> {
        switch self {
        case .sceneConnected(let scene): (.sceneConnected, [.scene: scene])
        case .interactionStateRestored(let state): (.interactionStateRestored, [.restoration: state])
        case .userActivityAnnounced(let activity): (.userActivityAnnounced, [.announcement: activity])
        case .sceneActivated(let activation): (.sceneActivated, [.activation: activation])
        case .sceneChanged(let change): (.sceneChanged, [.change: change])
        case .highlightsChanged(let update): (.highlightsChanged, [.update: update])
        case .attributionProvided(let view): (.attributionProvided, [.attribution: view])
        case .presentationChanged(let notice): (.presentationChanged, [.presentation: notice])
        case .menuItemChosen(let item): (.menuItemChosen, [.menuItem: item])
        case .showMoreTapped: (.showMoreTapped, [:])
        case .called(let call): (.called, [.call: call])
        case .liveActivityChanged(let activity): (.liveActivityChanged, [.liveActivity: activity])
        case .tokenChanged(let purpose, let token, let method):
            (.tokenChanged, [.purpose: purpose, .token: token, .method: method])
        case .detached(let reason): (.detached, [.reason: reason])
        }
    }
}
