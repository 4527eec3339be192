package import WaypostSchema

/// A call in the order of the calls for an event.
package struct CallbackStep: Sendable, Equatable {
    /// The method.
    package let callback: Callback

    /// The scene that is called; `nil` if the object belongs to no scene.
    package let scene: CalledScene?

    /// The argument with the event, or a part of it; `nil` if the call has none.
    package let argument: EventArgument?

    /// The part of the event in the argument; `nil` if it has none.
    package let part: EventPart?

    /// The state of the called or chosen scene, or of an app without scenes, after the call; `nil` before a scene
    /// connects.
    package let state: ActivationState?

    /// The reason for the call.
    package let reason: CallReason

    /// The condition for the call; `nil` if it is always made.
    package let condition: CallCondition?

    /// The source for the call, with its argument.
    package let source: CallbackSource

    /// The source for its place among the calls.
    package let order: CallbackSource

    /// The versions of iOS that make the call.
    package let versions: SystemVersions

    /// Whether the app implements the method, and reads the argument; `nil` if the app file does not say so.
    package let isHandled: Bool?
}

/// The scenes that are called for an event.
package enum CalledScene: String, Sendable, Encodable {
    /// The scene that was chosen for the event.
    case chosen

    /// The scene of the app that had the focus before.
    case other
}

/// The part of an event that a call has.
package enum EventPart: String, Sendable, Encodable {
    /// An announcement: the event comes with a later call.
    case announcement

    /// The event.
    case event

    /// The same event a second time; the app has to remove the duplicate.
    case repetition
}

/// The reason for a call.
package enum CallReason: String, Sendable, Encodable {
    /// The app is launched.
    case launch

    /// A scene connects.
    case connect

    /// A scene, or the app, comes to the foreground.
    case enterForeground

    /// A scene, or the app, becomes active.
    case activate

    /// The app receives the event.
    case deliver

    /// Another scene loses the focus.
    case resign

    /// Another scene goes to the background.
    case enterBackground
}

/// The condition for a call that is not always made.
package enum CallCondition: String, Sendable, Encodable {
    /// The app saved a state.
    case stateWasSaved

    /// The other scene is no longer visible.
    case otherSceneIsHidden

    /// The system connects a scene, although the app stays in the background.
    case systemConnectsScene

    /// The notification center has no delegate.
    case noCenterDelegate

    /// The app supports several scenes.
    case severalScenesAreSupported

    /// The delegate of the scene has no method for App Intents.
    case noIntentDelegate

    /// Both launch methods returned true.
    case launchReturnedTrue
}

extension CallCondition {
    /// The condition, as the end of a sentence about a call.
    package var phrase: String {
        switch self {
        case .stateWasSaved: "if the app saved a state"
        case .otherSceneIsHidden: "if that scene is no longer visible"
        case .systemConnectsScene: "if the system connects a scene in the background"
        case .noCenterDelegate: "instead, if the notification center has no delegate"
        case .severalScenesAreSupported: "if the app supports several scenes"
        case .noIntentDelegate: "instead, if the scene delegate has no method for App Intents"
        case .launchReturnedTrue: "if both launch methods returned true"
        }
    }

    /// Returns whether the condition holds in the ordinary case for an app.
    func holds(for app: AppImplementation) -> Bool {
        switch self {
        case .launchReturnedTrue: true
        case .noCenterDelegate: app.notificationCenter?.setIn == .never
        case .severalScenesAreSupported: app.supportsMultipleScenes != false
        case .noIntentDelegate:
            app.supportsMultipleScenes != false && app.sceneDelegate?.contains(.willPerformAppIntent) == false
        case .stateWasSaved, .otherSceneIsHidden, .systemConnectsScene: false
        }
    }
}

/// Versions of iOS.
package struct SystemVersions: Sendable, Hashable {
    /// The first major version.
    package let since: Int

    /// The last major version for an app that is built with the SDK after it; `nil` if there is none.
    package let until: Int?
}

/// A call that engineers expect and the system does not make.
package struct AbsentCall: Sendable, Hashable {
    /// The method.
    package let callback: Callback

    /// The option that is absent in the call; `nil` if the method is not called at all.
    package let option: StartOption?

    /// The reason, as a clause.
    package let reason: String

    /// The source.
    package let source: CallbackSource

    init(_ callback: Callback, without option: StartOption? = nil, _ reason: String, source: CallbackSource) {
        self.callback = callback
        self.option = option
        self.reason = reason
        self.source = source
    }
}
