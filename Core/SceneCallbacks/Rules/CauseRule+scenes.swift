internal import WaypostSchema

extension CauseRule {
    /// The table for an app with scenes; SwiftUI has its own rows for some causes.
    static let scenes = [
        icon, notificationTap, foregroundAction, backgroundAction, foregroundText, backgroundText, dismissal,
        foregroundNotification, silentPush, contentAvailablePush, quickAction, universalLink, customURL, document,
        widgetURL, widgetActivity, spotlight, cloudKitShare, appIntent, handoff, handoffFailure,
        restoration, sceneRequest,
    ]

    // MARK: Without an event

    static let icon = CauseRule(
        cause: .icon,
        lifeCycles: .withScenes,
        effect: .opensApp,
        cells: [
            .calls(.notVisible),
            .cannotHappen(.foreground, "the scene is in the foreground already"),
        ]
    )

    // MARK: Quick actions, links and URLs

    static let quickAction = CauseRule(
        cause: .quickAction,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.shortcutItem), source: .quickActions),
                notCalled: [.isInOption(.performAction, .shortcutItem, source: .coldQuickActions)]
            ),
            .calls(.background, .performAction(order: .inferred)),
            .calls(.foreground, .performAction(order: .quickActions)),
        ]
    )

    static let universalLink = CauseRule(
        cause: .universalLink,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.userActivities), source: .universalLinks),
                notCalled: [.isInOption(.continueUserActivity, .userActivities, source: .universalLinks)]
            ),
            .calls(.background, .continueLink(order: .deepLinkTests)),
            .calls(.foreground, .continueLink(order: .universalLinks)),
        ]
    )

    static let customURL = CauseRule(
        cause: .customURL,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.urlContexts), source: .urlSchemes),
                notCalled: [.isInOption(.openURLContexts, .urlContexts, source: .urlSchemes)]
            ),
            .calls(.background, .openURLContexts(order: .deepLinkTests)),
            .calls(.foreground, .openURLContexts(order: .urlSchemes)),
        ]
    )

    static let document = CauseRule(
        cause: .document,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.urlContexts), source: .urlSchemes),
                notCalled: [.isInOption(.openURLContexts, .urlContexts, source: .urlSchemes)]
            ),
            .calls(.background, .openURLContexts(order: .inferred)),
            .calls(.foreground, .openURLContexts(order: .urlSchemes)),
        ]
    )

    // MARK: Widgets, Spotlight, shares and intents

    static let widgetURL = CauseRule(
        cause: .widgetURL,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.urlContexts), source: .widgetURLs),
                notCalled: [.isInOption(.openURLContexts, .urlContexts, source: .widgetURLs)]
            ),
            .calls(.connected, .openURLContexts(.widgetURLs, order: .inferred)),
        ]
    )

    static let widgetActivity = CauseRule(
        cause: .widgetActivity,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.userActivities), source: .inferred),
                notCalled: [.isInOption(.continueUserActivity, .userActivities, source: .inferred)]
            ),
            .calls(.connected, .continueActivity(.inferred)),
        ]
    )

    static let spotlight = CauseRule(
        cause: .spotlight,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.userActivities), source: .connectionOptions),
                notCalled: [.isInOption(.continueUserActivity, .userActivities, source: .inferred)]
            ),
            .calls(.connected, .continueActivity(.activityContinuation)),
        ]
    )

    static let cloudKitShare = CauseRule(
        cause: .cloudKitShare,
        lifeCycles: .withScenes,
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.cloudKitShareMetadata), source: .sceneShare),
                notCalled: [.isInOption(.userDidAcceptCloudKitShare, .cloudKitShareMetadata, source: .sceneShare)]
            ),
            .calls(
                .connected,
                EventCall(
                    .scene(.userDidAcceptCloudKitShare),
                    .parameter("cloudKitShareMetadata"),
                    source: .sceneShare,
                    order: .inferred
                )
            ),
        ]
    )

    static let appIntent = CauseRule(
        cause: .appIntent,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        since: 26,
        cells: [
            .calls(
                .connecting,
                EventCall(
                    .scene(.willConnect),
                    .option(.appIntent),
                    part: .announcement,
                    source: .sceneIntents
                ),
                .willPerformIntent,
                .navigateByIntent,
                .perform(nil)
            ),
            .calls(.connected, .willPerformIntent, .navigateByIntent, .perform(nil)),
        ]
    )

    // MARK: Activities and state

    static let handoff = CauseRule(
        cause: .handoff,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                .announceAtConnection,
                .continueActivity(.handoffAfterConnection),
                notCalled: [
                    .announcementIsInOption,
                    AbsentCall(
                        .scene(.willConnect),
                        without: .userActivities,
                        "the activity is not among the user activities; it comes later, with scene(_:continue:)",
                        source: .connectionOptions
                    ),
                ]
            ),
            .calls(.connected, .announceActivity, .continueActivity(.activityContinuation)),
        ]
    )

    static let handoffFailure = CauseRule(
        cause: .handoffFailure,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                .announceAtConnection,
                .failHandoff,
                notCalled: [.announcementIsInOption, .withoutData(.scene(.continueUserActivity))]
            ),
            .calls(
                .connected,
                .announceActivity,
                .failHandoff,
                notCalled: [.withoutData(.scene(.continueUserActivity))]
            ),
        ]
    )

    static let restoration = CauseRule(
        cause: .restoration,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                [.notRunning, .prewarmed, .disconnected],
                EventCall(.scene(.willConnect), .option(.stateRestorationActivity), source: .stateRestoration),
                EventCall(
                    .scene(.restoreInteractionState),
                    .parameter("stateRestorationActivity"),
                    part: nil,
                    at: .beforeForeground,
                    source: .inferred
                ),
                notCalled: [
                    AbsentCall(
                        .scene(.continueUserActivity),
                        "the saved activity belongs to the session, and is not delivered as an event",
                        source: .stateRestoration
                    )
                ]
            ),
            .cannotHappen([.notRunningNewScene, .newScene, .newSceneInBackground], "a new session has no saved state"),
            .cannotHappen(
                .connected,
                "the scene is connected and has its state; only a scene that connects is restored"
            ),
        ]
    )

    static let sceneRequest = CauseRule(
        cause: .sceneRequest,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.userActivities), source: .sceneRequests),
                notCalled: [.isInOption(.continueUserActivity, .userActivities, source: .inferred)]
            ),
            .calls(.connected, .continueActivity(.inferred)),
        ]
    )
}

extension EventCall {
    /// The call of the scene delegate with an App Intent.
    fileprivate static let willPerformIntent = EventCall(
        .scene(.willPerformAppIntent),
        .parameter("appIntent"),
        at: .beforeForeground,
        if: .severalScenesAreSupported,
        source: .sceneIntents
    )

    /// The call of an App Intent whose scene has no delegate for it.
    fileprivate static let navigateByIntent = EventCall(
        .intent(.performNavigation),
        .parameter("self"),
        at: .beforeForeground,
        if: .noIntentDelegate,
        source: .sceneIntents
    )

    /// Returns the call that runs an App Intent.
    static func perform(_ part: EventPart?) -> EventCall {
        EventCall(.intent(.perform), .parameter("self"), part: part, at: .afterActive, source: .sceneIntents)
    }

    /// The type of an activity of another device, when a scene connects for it.
    fileprivate static let announceAtConnection = EventCall(
        .scene(.willConnect),
        .option(.handoffUserActivityType),
        part: .announcement,
        source: .connectionOptions
    )

    /// The type of an activity of another device, for a connected scene.
    fileprivate static let announceActivity = EventCall(
        .scene(.willContinueUserActivity),
        .parameter("userActivityType"),
        part: .announcement,
        source: .activityAnnouncement,
        order: .inferred
    )

    /// The failure of Handoff.
    fileprivate static let failHandoff = EventCall(
        .scene(.didFailToContinueUserActivity),
        .parameter("error"),
        source: .activityFailure,
        order: .inferred
    )

    /// Returns the call with the user's response.
    static func response(_ source: CallbackSource, order: CallbackSource? = nil) -> EventCall {
        EventCall(.center(.didReceive), .parameter("response"), source: source, order: order)
    }

    /// Returns the call with the user's text.
    static func textResponse(order: CallbackSource) -> EventCall {
        EventCall(.center(.didReceive), .parameter(textParameter), source: .textResponse, order: order)
    }

    /// Returns the call with a remote notification.
    static func remoteNotification(_ part: EventPart, if condition: CallCondition? = nil) -> EventCall {
        EventCall(
            .app(.didReceiveRemoteNotification),
            .parameter("userInfo"),
            part: part,
            if: condition,
            source: .remoteNotification
        )
    }

    fileprivate static func performAction(order: CallbackSource) -> EventCall {
        EventCall(.scene(.performAction), .parameter("shortcutItem"), source: .quickActions, order: order)
    }

    fileprivate static func continueLink(order: CallbackSource) -> EventCall {
        EventCall(
            .scene(.continueUserActivity),
            .parameter("userActivity.webpageURL"),
            source: .universalLinks,
            order: order
        )
    }

    fileprivate static func openURLContexts(
        _ source: CallbackSource = .urlSchemes,
        order: CallbackSource
    ) -> EventCall {
        EventCall(
            .scene(.openURLContexts),
            .parameter("URLContexts"),
            at: .beforeForeground,
            source: source,
            order: order
        )
    }

    fileprivate static func continueActivity(_ source: CallbackSource) -> EventCall {
        EventCall(
            .scene(.continueUserActivity),
            .parameter("userActivity"),
            source: source,
            order: .inferred
        )
    }
}

extension AbsentCall {
    /// The announcement of an activity for which a scene connects.
    fileprivate static let announcementIsInOption = isInOption(
        .willContinueUserActivity,
        .handoffUserActivityType,
        source: .connectionOptions
    )

    /// Returns the absence of a call with an activity whose data does not arrive.
    static func withoutData(_ callback: Callback) -> Self {
        Self(callback, "the data of the activity does not arrive", source: .activityFailure)
    }

    /// Returns the absence of a call whose event is in an option of the connection.
    fileprivate static func isInOption(
        _ method: SceneDelegateMethod,
        _ option: StartOption,
        source: CallbackSource
    ) -> AbsentCall {
        AbsentCall(
            .scene(method),
            "the scene connects for the event, which is in \(option.expression)",
            source: source
        )
    }
}
