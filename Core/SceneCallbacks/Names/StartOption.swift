internal import WaypostSchema

/// A value that an app can read when it is launched or a scene connects.
package enum StartOption: String, StringEnum {
    /// The URLs to open.
    case urlContexts

    /// The activities to continue, such as a universal link; not those of Handoff.
    case userActivities

    /// The quick action.
    case shortcutItem

    /// The quick action, in `application(_:configurationForConnecting:options:)`.
    case configurationShortcutItem

    /// The user's response to a notification.
    case notificationResponse

    /// The type of an activity that comes later, by Handoff.
    case handoffUserActivityType

    /// The invitation to a share of CloudKit.
    case cloudKitShareMetadata

    /// The App Intent that the system routes to the scene.
    case appIntent

    /// The activity with the state that the scene saved.
    case stateRestorationActivity

    /// The launch options, which are `nil` in an app with scenes.
    case launchOptions
}

extension StartOption {
    /// The value as an expression of Swift.
    package var expression: String {
        switch self {
        case .urlContexts, .userActivities, .shortcutItem, .notificationResponse, .handoffUserActivityType,
            .cloudKitShareMetadata, .appIntent:
            "connectionOptions.\(rawValue)"
        case .configurationShortcutItem: "options.shortcutItem"
        case .stateRestorationActivity: "session.stateRestorationActivity"
        case .launchOptions: "launchOptions"
        }
    }
}

/// The argument of a call that contains the event.
package enum EventArgument: Sendable, Hashable {
    /// A value that the app may read or not.
    case option(StartOption)

    /// The value for a key of the launch options.
    case launchOption(String)

    /// A parameter of the method.
    case parameter(String)
}

extension EventArgument: CustomStringConvertible {
    /// The option that the app must read to receive the event; `nil` for a parameter.
    package var option: StartOption? {
        switch self {
        case .option(let option): option
        case .launchOption: .launchOptions
        case .parameter: nil
        }
    }

    /// The argument as an expression of Swift.
    package var description: String {
        switch self {
        case .option(let option): option.expression
        case .launchOption(let key): "launchOptions[.\(key)]"
        case .parameter(let name): name
        }
    }
}
