package import WaypostSchema

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
