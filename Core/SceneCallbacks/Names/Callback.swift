package import WaypostSchema

/// A method of an app that the system calls.
package enum Callback: Sendable, Hashable {
    /// A method of the app delegate.
    case app(AppDelegateMethod)

    /// A method of a scene delegate.
    case scene(SceneDelegateMethod)

    /// A method of the delegate of the notification center.
    case center(CenterDelegateMethod)

    /// A modifier of a view of SwiftUI.
    case view(ViewMethod)

    /// A method of an App Intent.
    case intent(AppIntentMethod)
}

extension Callback {
    /// All callbacks, in the order of the life cycle.
    package static let all: [Self] = ofDelegates + ofViewsAndIntents

    private static let ofDelegates: [Self] =
        AppDelegateMethod.allCases.map(Callback.app) + SceneDelegateMethod.allCases.map(Callback.scene)
        + CenterDelegateMethod.allCases.map(Callback.center)

    private static let ofViewsAndIntents: [Self] =
        ViewMethod.allCases.map(Callback.view) + AppIntentMethod.allCases.map(Callback.intent)

    /// The object whose method it is.
    package var object: CallbackObject {
        switch self {
        case .app: .appDelegate
        case .scene: .sceneDelegate
        case .center: .notificationCenterDelegate
        case .view: .view
        case .intent: .intent
        }
    }

    /// The method as Apple spells it.
    package var signature: String {
        declaration.signature
    }

    /// The version of iOS that introduced the method.
    package var since: Int {
        declaration.since
    }

    /// A short name, such as `scene.willConnect`; its second part is the name in an app file.
    package var name: String {
        switch self {
        case .app(let method): "app.\(method.rawValue)"
        case .scene(let method): "scene.\(method.rawValue)"
        case .center(let method): "center.\(method.rawValue)"
        case .view(let method): "view.\(method.rawValue)"
        case .intent(let method): "intent.\(method.rawValue)"
        }
    }

    private var declaration: (signature: String, since: Int) {
        switch self {
        case .app(let method): method.declaration
        case .scene(let method): method.declaration
        case .center(let method): method.declaration
        case .view(let method): method.declaration
        case .intent(let method): method.declaration
        }
    }
}

/// An object of an app that the system calls.
package enum CallbackObject: String, Sendable, Encodable {
    /// The app delegate.
    case appDelegate

    /// The delegate of a scene.
    case sceneDelegate

    /// The delegate of the notification center.
    case notificationCenterDelegate

    /// A view of SwiftUI.
    case view

    /// An App Intent.
    case intent
}

extension CallbackObject {
    /// The object in a few words.
    var title: String {
        switch self {
        case .appDelegate: "app delegate"
        case .sceneDelegate: "scene delegate"
        case .notificationCenterDelegate: "delegate of the notification center"
        case .view: "view of SwiftUI"
        case .intent: "App Intent"
        }
    }

    /// Whether each scene has its own object.
    var belongsToScene: Bool {
        self == .sceneDelegate || self == .view
    }
}
