internal import Targeting
internal import WaypostSchema

/// The descriptions of ignored events about apps and their attribution views.
extension IgnoredEvent {
    static func otherHighlight(_ view: AttributionViewID, than url: String, of app: BundleIdentifier) -> Self {
        Self(
            reason: .noHighlight,
            explanation:
                "the attribution view \(view) of \(app) is for another highlight than '\(url)': request the view "
                + "with that URL first"
        )
    }

    static func unknown(_ item: MenuItemID, of view: AttributionViewID) -> Self {
        Self(
            reason: .unknownMenuItem,
            explanation: "the menu of \(view) has no item \(item); its items are reply, remove and those of the app"
        )
    }

    static func unknown(_ scene: SceneIdentifier, of app: BundleIdentifier) -> Self {
        Self(reason: .unknownScene, explanation: "the app \(app) has no scene \(scene)")
    }

    static func unusable(_ error: ConditionError, of scene: SceneIdentifier, _ app: BundleIdentifier) -> Self {
        Self(
            reason: .unusableCondition,
            explanation: "app \(app), scene \(scene): \(error); the scene keeps its conditions"
        )
    }

    static func unknownShortcutItem(_ type: String, of app: BundleIdentifier) -> Self {
        Self(reason: .unknownShortcutItem, explanation: "the app \(app) has no quick action with the type '\(type)'")
    }

    static func repeatedShortcutItem(_ type: String, of app: BundleIdentifier) -> Self {
        Self(
            reason: .repeatedShortcutItem,
            explanation: "app \(app): the quick action '\(type)' would be listed twice; each needs a different type"
        )
    }

    static func unknownActivation(_ number: Int, of app: BundleIdentifier) -> Self {
        Self(
            reason: .unknownActivation,
            explanation: "no activation \(number) waits for the app \(app): it was taken, or its scene was closed"
        )
    }

    static func noWebURL(_ url: String) -> Self {
        Self(
            reason: .notAWebURL,
            explanation: "'\(url)' is not an http or https URL, so neither an app nor a website opens"
        )
    }

    static var noName: Self {
        Self(reason: .noName, explanation: "a device, or a snapshot, needs a name")
    }

    static func notPresented(_ explanation: String) -> Self {
        Self(reason: .notPresented, explanation: explanation)
    }
}
