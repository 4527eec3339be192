package import WaypostSchema

extension LifeCycle {
    /// The objects that the system can call.
    package var objects: Set<CallbackObject> {
        switch self {
        case .appDelegate: [.appDelegate, .notificationCenterDelegate, .intent]
        case .uiScene: [.appDelegate, .sceneDelegate, .notificationCenterDelegate, .intent]
        case .swiftUI: [.view, .notificationCenterDelegate, .intent]
        case .swiftUIWithAdaptor: [.appDelegate, .view, .notificationCenterDelegate, .intent]
        case .swiftUIWithSceneDelegate:
            [.appDelegate, .sceneDelegate, .view, .notificationCenterDelegate, .intent]
        }
    }
}

extension Set<LifeCycle> {
    /// The life cycles of SwiftUI.
    package static var anySwiftUI: Self { [.swiftUI, .swiftUIWithAdaptor, .swiftUIWithSceneDelegate] }

    /// The life cycles with scenes.
    package static var withScenes: Self { Self.anySwiftUI.union([LifeCycle.uiScene]) }
}
