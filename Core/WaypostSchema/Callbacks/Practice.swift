/// A habit of an app's code that decides whether it handles an event well.
public enum Practice: String, StringEnum {
    /// The app takes only one element of `urlContexts` or `userActivities`.
    case readsFirstOnly

    /// The app returns from `scene(_:willConnectTo:options:)` after the first option that it finds.
    case returnsAfterFirstOption

    /// The app handles an event when it arrives, even if its user interface does not exist yet.
    case handlesEventsBeforeReady

    /// The app restores its state after it handled the event.
    case restoresAfterEvent

    /// The app takes a missing `stateRestorationActivity` for its first launch.
    case treatsMissingStateAsFirstLaunch

    /// The app shows the event in the key window, or in the first one.
    case usesKeyWindow

    /// The app creates its user interface once in the life of the process.
    case createsInterfaceOnce

    /// The app needs a scene for a silent push or a background action.
    case needsSceneInBackground

    /// The app sets up state in `application(_:configurationForConnecting:options:)`.
    case setsUpInConfiguration

    /// The app creates a window without a scene, or one beside that of the storyboard.
    case createsWindowWithoutScene

    /// The app starts what its scenes share when a window scene connects, although CarPlay may connect first.
    case startsInWindowScene

    /// A view of a widget or Live Activity has several URLs.
    case setsSeveralWidgetURLs

    /// The app does not declare the types of its activities in `NSUserActivityTypes`.
    case omitsActivityTypes

    /// Several parts of the app set the delegate of the notification center, and do not forward its calls.
    case replacesCenterDelegate

    /// The app does not call the completion handlers of responses, silent pushes or quick actions.
    case omitsCompletionHandlers

    /// The app requests a new session for each activity, and names no session and no role.
    case requestsNewSessionEachTime
}
