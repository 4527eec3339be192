internal import UniversalLinks
internal import WaypostSchema

/// The descriptions of ignored events about apps and their attribution views.
extension IgnoredEvent {
    static func unknown(_ item: MenuItemID, of view: AttributionViewID) -> Self {
        Self(
            reason: .unknownMenuItem,
            explanation: "the menu of \(view) has no item \(item); its items are reply, remove and those of the app"
        )
    }

    static func unknown(_ scene: SceneIdentifier, of app: BundleIdentifier) -> Self {
        Self(reason: .unknownScene, explanation: "the app \(app) has no scene \(scene)")
    }

    static func noDeclarationMatches(of app: BundleIdentifier, _ explanation: String) -> Self {
        Self(reason: .noDeclarationMatches, explanation: "\(app): \(explanation)")
    }

    static func tooLong(bytes: Int) -> Self {
        let explanation = "the URL has \(bytes) bytes; a link has at most \(LinkURL.maximumLength)"
        return Self(reason: .notAWebURL, explanation: explanation)
    }

    static func unknown(_ notification: NotificationID) -> Self {
        Self(reason: .unknownNotification, explanation: "there is no notification \(notification)")
    }

    static var noName: Self {
        Self(reason: .noName, explanation: "a device, or a snapshot, needs a name")
    }

    static func notPresented(_ explanation: String) -> Self {
        Self(reason: .notPresented, explanation: explanation)
    }
}
