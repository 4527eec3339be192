package import WaypostSchema

/// A row of the table of methods that the scene life cycle replaces.
///
/// UIKit does not call them in an app with scenes, even if the app implements them.
package struct ReplacedMethod: Sendable {
    /// The method of the app delegate.
    package let old: AppDelegateMethod

    /// The method of the scene delegate.
    package let new: SceneDelegateMethod

    /// The option that has the event if the scene connects for it; `nil` if UIKit calls the new method then, too.
    package let option: StartOption?

    /// The causes for which an app has the method.
    package let causes: Set<EventCause>

    /// The source.
    package let source: CallbackSource

    /// Whether the method has an event; otherwise, it is about the life cycle alone.
    package var hasEvent: Bool {
        causes.count < EventCause.allCases.count
    }

    /// The table.
    package static let all = [
        Self(old: .didBecomeActive, new: .didBecomeActive, source: .sceneMigration),
        Self(old: .willResignActive, new: .willResignActive, source: .sceneMigration),
        Self(old: .didEnterBackground, new: .didEnterBackground, source: .sceneMigration),
        Self(old: .willEnterForeground, new: .willEnterForeground, source: .sceneMigration),
        Self(
            old: .openURL,
            new: .openURLContexts,
            option: .urlContexts,
            causes: [.customURL, .document, .widgetURL],
            source: .urlSchemes
        ),
        Self(
            old: .willContinueUserActivity,
            new: .willContinueUserActivity,
            option: .handoffUserActivityType,
            causes: [.handoff, .handoffFailure],
            source: .connectionOptions
        ),
        Self(
            old: .continueUserActivity,
            new: .continueUserActivity,
            option: .userActivities,
            causes: [.universalLink, .widgetActivity, .spotlight, .handoff],
            source: .universalLinks
        ),
        Self(
            old: .didFailToContinueUserActivity,
            new: .didFailToContinueUserActivity,
            causes: [.handoffFailure],
            source: .activityFailure
        ),
        Self(
            old: .performAction,
            new: .performAction,
            option: .shortcutItem,
            causes: [.quickAction],
            source: .appQuickAction
        ),
        Self(
            old: .userDidAcceptCloudKitShare,
            new: .userDidAcceptCloudKitShare,
            option: .cloudKitShareMetadata,
            causes: [.cloudKitShare],
            source: .sceneShare
        ),
        Self(
            old: .didDecodeRestorableState,
            new: .willConnect,
            option: .stateRestorationActivity,
            causes: [.restoration],
            source: .stateRestoration
        ),
    ]

    private init(
        old: AppDelegateMethod,
        new: SceneDelegateMethod,
        option: StartOption? = nil,
        causes: Set<EventCause> = Set(EventCause.allCases),
        source: CallbackSource
    ) {
        self.old = old
        self.new = new
        self.option = option
        self.causes = causes
        self.source = source
    }
}
