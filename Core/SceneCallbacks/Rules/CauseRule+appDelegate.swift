internal import WaypostSchema

extension CauseRule {
    /// The table for an app without scenes.
    static let appDelegate = [
        appIcon, appNotificationTap, appForegroundAction, appBackgroundAction, appForegroundText, appBackgroundText,
        appDismissal, appForegroundNotification, appSilentPush, appContentAvailablePush, appQuickAction,
        appUniversalLink, appCustomURL, appDocument, appWidgetURL, appWidgetActivity, appSpotlight, appCloudKitShare,
        appIntentWithoutScenes, appHandoff, appHandoffFailure, appRestoration, appSceneRequest,
    ]

    // MARK: Without an event

    static let appIcon = CauseRule(
        cause: .icon,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(.notVisible),
            .cannotHappen(.foreground, "the app is in the foreground already"),
        ]
    )

    // MARK: Notifications

    static let appNotificationTap = CauseRule(
        cause: .notificationTap,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                .launchNotification,
                .responseAfterLaunch,
                .remoteNotification(.repetition, if: .noCenterDelegate)
            ),
            .calls(
                .connected,
                .response(.notificationActions, order: .appWithoutScenesOrder),
                .remoteNotification(.event, if: .noCenterDelegate)
            ),
        ]
    )

    static let appForegroundAction = CauseRule(
        cause: .foregroundAction,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(.connecting, .launchNotification, .responseAfterLaunch),
            .calls(.connected, .response(.foregroundOption, order: .inferred)),
        ]
    )

    static let appBackgroundAction = CauseRule(
        cause: .backgroundAction,
        lifeCycles: [.appDelegate],
        effect: .callsApp,
        cells: [.calls(.all, .response(.notificationActions))]
    )

    static let appForegroundText = CauseRule(
        cause: .foregroundText,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(.connecting, .launchNotification, .responseAfterLaunch),
            .calls(.connected, .textResponse(order: .inferred)),
        ]
    )

    static let appBackgroundText = CauseRule(
        cause: .backgroundText,
        lifeCycles: [.appDelegate],
        effect: .callsApp,
        cells: [.calls(.all, .textResponse(order: .textResponse))]
    )

    static let appDismissal = CauseRule(
        cause: .dismissal,
        lifeCycles: [.appDelegate],
        effect: .callsApp,
        cells: [.calls(.all, .response(.notificationActions))]
    )

    static let appForegroundNotification = CauseRule(
        cause: .foregroundNotification,
        lifeCycles: [.appDelegate],
        effect: .callsApp,
        cells: [
            .calls(.appInForeground, .presentation, notCalled: [.responseWithoutTap]),
            .cannotHappen(.appNotInForeground, shownBySystem),
        ]
    )

    static let appSilentPush = CauseRule(
        cause: .silentPush,
        lifeCycles: [.appDelegate],
        effect: .callsApp,
        cells: [
            .calls(.launching, .launchNotification, .remoteNotification(.repetition)),
            .calls(.running, .remoteNotification(.event)),
        ]
    )

    static let appContentAvailablePush = CauseRule(
        cause: .contentAvailablePush,
        lifeCycles: [.appDelegate],
        effect: .callsApp,
        cells: [
            .calls(.launching, .launchNotification, .remoteNotification(.repetition)),
            .calls([.disconnected, .newSceneInBackground, .background], .remoteNotification(.event)),
            .calls(.appInForeground, .presentationOfUpdate, .remoteNotification(.event)),
        ]
    )

    // MARK: Quick actions, links and URLs

    static let appQuickAction = CauseRule(
        cause: .quickAction,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                .launch("shortcutItem", .event, source: .appQuickAction),
                EventCall(
                    .app(.performAction),
                    .parameter("shortcutItem"),
                    part: .repetition,
                    if: .launchReturnedTrue,
                    source: .appQuickAction
                )
            ),
            .calls(
                .connected,
                EventCall(
                    .app(.performAction),
                    .parameter("shortcutItem"),
                    source: .appQuickAction,
                    order: .inferred
                )
            ),
        ]
    )

    static let appUniversalLink = CauseRule(
        cause: .universalLink,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                .launch("userActivityDictionary", .announcement, source: .appActivity),
                .announceActivity(.inferred),
                .continueActivity(if: .launchReturnedTrue)
            ),
            .calls(.connected, .announceActivity(.inferred), .continueActivity()),
        ]
    )

    static let appCustomURL = opensURL(.customURL, source: .appOpenURL)

    static let appDocument = opensURL(.document, source: .appOpenURL)

    static let appWidgetURL = opensURL(.widgetURL, source: .widgetLinks)

    // MARK: Activities, shares, intents and state

    static let appWidgetActivity = continuesActivity(.widgetActivity, source: .widgetLinks)

    static let appSpotlight = continuesActivity(.spotlight, source: .appActivity)

    static let appCloudKitShare = CauseRule(
        cause: .cloudKitShare,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(
                .all,
                EventCall(
                    .app(.userDidAcceptCloudKitShare),
                    .parameter("cloudKitShareMetadata"),
                    source: .sceneShare,
                    order: .inferred
                )
            )
        ]
    )

    static let appIntentWithoutScenes = CauseRule(
        cause: .appIntent,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        since: 16,
        cells: [
            .calls(
                .all,
                .perform(.event),
                notCalled: [
                    AbsentCall(
                        .intent(.performNavigation),
                        "the app has no scene to which the system could route the intent",
                        source: .sceneIntents
                    )
                ]
            )
        ]
    )

    static let appHandoff = CauseRule(
        cause: .handoff,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                .launch("userActivityDictionary", .announcement, source: .appActivity),
                .announceActivity(.appActivity),
                .continueActivity(if: .launchReturnedTrue)
            ),
            .calls(.connected, .announceActivity(.appActivity), .continueActivity()),
        ]
    )

    static let appHandoffFailure = CauseRule(
        cause: .handoffFailure,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(
                .connecting,
                .launch("userActivityDictionary", .announcement, source: .appActivity),
                .announceActivity(.appActivity),
                .failActivity,
                notCalled: [.withoutData(.app(.continueUserActivity))]
            ),
            .calls(
                .connected,
                .announceActivity(.appActivity),
                .failActivity,
                notCalled: [.withoutData(.app(.continueUserActivity))]
            ),
        ]
    )

    static let appRestoration = CauseRule(
        cause: .restoration,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [
            .calls(
                .launching,
                EventCall(.app(.didDecodeRestorableState), .parameter("coder"), source: .launchSequence)
            ),
            .cannotHappen(.running, "the app runs and has its state; only a launch restores it"),
        ]
    )

    static let appSceneRequest = CauseRule(
        cause: .sceneRequest,
        lifeCycles: [.appDelegate],
        effect: .opensApp,
        cells: [.cannotHappen(.all, "the app has no scenes, so it cannot request one")]
    )

    /// Returns the row of a cause with a URL.
    private static func opensURL(_ cause: EventCause, source: CallbackSource) -> CauseRule {
        CauseRule(
            cause: cause,
            lifeCycles: [.appDelegate],
            effect: .opensApp,
            cells: [
                .calls(
                    .connecting,
                    .launch("url", .event, source: source),
                    EventCall(
                        .app(.openURL),
                        .parameter("url"),
                        part: .repetition,
                        if: .launchReturnedTrue,
                        source: source
                    )
                ),
                .calls(.connected, EventCall(.app(.openURL), .parameter("url"), source: source)),
            ]
        )
    }

    /// Returns the row of a cause with an activity.
    private static func continuesActivity(_ cause: EventCause, source: CallbackSource) -> CauseRule {
        CauseRule(
            cause: cause,
            lifeCycles: [.appDelegate],
            effect: .opensApp,
            cells: [
                .calls(
                    .connecting,
                    .launch("userActivityDictionary", .announcement, source: source),
                    .announceActivity(source),
                    .continueActivity(source, if: .launchReturnedTrue)
                ),
                .calls(.connected, .announceActivity(source), .continueActivity(source)),
            ]
        )
    }
}

extension EventCall {
    /// The remote notification in the launch options.
    fileprivate static let launchNotification = launch("remoteNotification", .event, source: .launchOptions)

    /// The response of a user to a notification that is also in the launch options.
    fileprivate static let responseAfterLaunch = EventCall(
        .center(.didReceive),
        .parameter("response"),
        part: .repetition,
        source: .centerDelegate,
        order: .appWithoutScenesOrder
    )

    /// The failure of an activity.
    fileprivate static let failActivity = EventCall(
        .app(.didFailToContinueUserActivity),
        .parameter("error"),
        source: .appActivity,
        order: .inferred
    )

    /// Returns the call with the launch options.
    fileprivate static func launch(_ key: String, _ part: EventPart, source: CallbackSource) -> EventCall {
        EventCall(.app(.didFinishLaunching), .launchOption(key), part: part, source: source)
    }

    fileprivate static func announceActivity(_ source: CallbackSource) -> EventCall {
        EventCall(
            .app(.willContinueUserActivity),
            .parameter("userActivityType"),
            part: .announcement,
            source: source,
            order: .inferred
        )
    }

    fileprivate static func continueActivity(
        _ source: CallbackSource = .appActivity,
        if condition: CallCondition? = nil
    ) -> EventCall {
        EventCall(
            .app(.continueUserActivity),
            .parameter("userActivity"),
            if: condition,
            source: source
        )
    }
}
