internal import WaypostSchema

/// The events about apps and their attribution views that change nothing, in words.
extension IgnoredEvent {
    static func otherHighlight(_ view: AttributionViewID, than url: String, of app: BundleIdentifier) -> Self {
        Self(
            reason: .noHighlight,
            explanation:
                "the attribution view \(view) of \(app) is of another highlight than '\(url)': it has to be asked "
                + "for with that URL"
        )
    }

    static func unknown(_ item: MenuItemID, of view: AttributionViewID) -> Self {
        Self(
            reason: .unknownMenuItem,
            explanation: "the menu of \(view) has no item \(item): there are reply, remove and those of its app"
        )
    }

    static func unknown(_ scene: SceneIdentifier, of app: BundleIdentifier) -> Self {
        Self(reason: .unknownScene, explanation: "the app \(app) has no scene \(scene)")
    }

    static func noMessagesEvent(_ explanation: String) -> Self {
        Self(reason: .noMessagesEvent, explanation: explanation)
    }

    static func notPresented(_ explanation: String) -> Self {
        Self(reason: .notPresented, explanation: explanation)
    }
}
