internal import WaypostSchema

/// The events about apps and their attribution views that change nothing, in words.
extension IgnoredEvent {
    static func notInstalled(_ app: BundleIdentifier) -> Self {
        Self(reason: .unknownApp, explanation: "the app \(app) is not on the device")
    }

    /// Says the same of a view that never was, of one that ended and of one that another app has.
    static func unknownView(_ view: AttributionViewID, of app: BundleIdentifier) -> Self {
        Self(reason: .unknownView, explanation: "\(app) has no attribution view \(view)")
    }

    static func otherHighlight(_ view: AttributionViewID, than url: String, of app: BundleIdentifier) -> Self {
        Self(
            reason: .noHighlight,
            explanation:
                "the attribution view \(view) of \(app) is of another highlight than '\(url)': it has to be asked "
                + "for with that URL"
        )
    }

    static func displayContextTooLate(_ view: AttributionViewID) -> Self {
        Self(
            reason: .displayContextTooLate,
            explanation: "the display context of \(view) counts only where it is set before the view is in a window"
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

    static func notPresented(_ explanation: String) -> Self {
        Self(reason: .notPresented, explanation: explanation)
    }
}
