internal import Targeting
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

    static func unusable(_ error: ConditionError, of scene: SceneIdentifier, _ app: BundleIdentifier) -> Self {
        Self(
            reason: .unusableCondition,
            explanation: "app \(app), scene \(scene): \(error); the scene keeps the conditions that it has"
        )
    }

    static func unknownShortcutItem(_ type: String, of app: BundleIdentifier) -> Self {
        Self(reason: .unknownShortcutItem, explanation: "the app \(app) has no quick action of the type '\(type)'")
    }

    static func repeatedShortcutItem(_ type: String, of app: BundleIdentifier) -> Self {
        Self(
            reason: .repeatedShortcutItem,
            explanation: "app \(app): the quick action '\(type)' would be there twice; each needs a type of its own"
        )
    }

    static func unknownActivation(_ number: Int, of app: BundleIdentifier) -> Self {
        Self(
            reason: .unknownActivation,
            explanation: "no activation \(number) waits for the app \(app): it was taken before, or its scene is gone"
        )
    }

    static func noWebURL(_ url: String) -> Self {
        Self(
            reason: .notAWebURL,
            explanation: "'\(url)' is no http or https URL, so that neither an app nor a website opens"
        )
    }

    static var noName: Self {
        Self(reason: .noName, explanation: "a device, or a snapshot, needs a name")
    }

    static func notPresented(_ explanation: String) -> Self {
        Self(reason: .notPresented, explanation: explanation)
    }
}
