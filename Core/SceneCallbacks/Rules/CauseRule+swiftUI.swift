internal import WaypostSchema

extension CauseRule {
    /// The table for an app of SwiftUI, as far as it differs from one of UIKit.
    ///
    /// The rows are those of an app with an adaptor and scene delegates. In other apps some calls are missing, and the
    /// first one that is left has the event.
    static let swiftUI = [
        responds(.notificationTap, "response"), responds(.foregroundAction, "response"),
        responds(.foregroundText, EventCall.textParameter), swiftUIQuickAction, swiftUIUniversalLink,
        opensURL(.customURL, .viewURL, connected: .openSwiftUI), opensURL(.document, .inferred, connected: .inferred),
        opensURL(.widgetURL, .widgetLinks, connected: .widgetLinks), continuesActivity(.widgetActivity),
        continuesActivity(.spotlight), swiftUIAppIntent, swiftUIHandoff, swiftUIHandoffFailure, swiftUIRestoration,
        continuesActivity(.sceneRequest, .inferred),
    ]

    static let swiftUIQuickAction = opensSwiftUI(
        .quickAction,
        .calls(
            .connecting,
            EventCall(
                .app(.configurationForConnecting),
                .option(.configurationShortcutItem),
                source: .swiftUIColdQuickActions
            ),
            EventCall(.scene(.willConnect), .option(.shortcutItem), part: .repetition, source: .openSwiftUI),
            notCalled: [.isInOption(.performAction, .shortcutItem), .quickAction]
        ),
        .calls(
            .connected,
            EventCall(
                .scene(.performAction),
                .parameter("shortcutItem"),
                source: .swiftUIQuickActions,
                order: .inferred
            ),
            notCalled: [.quickAction]
        )
    )

    static let swiftUIUniversalLink = opensSwiftUI(
        .universalLink,
        .calls(
            .connecting,
            EventCall(.scene(.willConnect), .option(.userActivities), source: .openSwiftUI),
            .openURL(.viewURL, part: .repetition, at: .afterActive),
            notCalled: AbsentCall.linkAsActivity
        ),
        .calls(.connected, .openURL(.swiftUILinks, at: .beforeActive), notCalled: AbsentCall.linkAsActivity)
    )

    static let swiftUIAppIntent = CauseRule(
        cause: .appIntent,
        lifeCycles: .anySwiftUI,
        effect: .opensApp,
        since: 26,
        cells: [
            .calls(
                .all,
                EventCall(
                    .view(.onAppIntentExecution),
                    .parameter("intent"),
                    at: .beforeForeground,
                    if: .severalScenesAreSupported,
                    source: .sceneIntents
                ),
                .perform(nil)
            )
        ]
    )

    static let swiftUIHandoff = opensSwiftUI(
        .handoff,
        .calls(
            .connecting,
            .announceAtConnection,
            .continueActivity(.inferred, at: .afterActive),
            .continueActivityAgain(.inferred, at: .afterActive)
        ),
        .calls(
            .connected,
            .announceActivity,
            .continueActivity(.inferred, at: .beforeActive),
            .continueActivityAgain(.inferred, at: .beforeActive)
        )
    )

    static let swiftUIHandoffFailure = opensSwiftUI(
        .handoffFailure,
        .calls(
            .connecting,
            .announceAtConnection,
            .failHandoff(at: .afterActive),
            notCalled: [.withoutData(.view(.onContinueUserActivity))]
        ),
        .calls(
            .connected,
            .announceActivity,
            .failHandoff(at: .beforeActive),
            notCalled: [.withoutData(.view(.onContinueUserActivity))]
        )
    )

    static let swiftUIRestoration = opensSwiftUI(
        .restoration,
        .cannotHappen(.all, "SwiftUI restores the values of SceneStorage itself, and calls no method for it")
    )

    // MARK: Rows of the same form

    private static func opensSwiftUI(_ cause: EventCause, _ cells: CauseCell...) -> CauseRule {
        CauseRule(cause: cause, lifeCycles: .anySwiftUI, effect: .opensApp, cells: cells)
    }

    /// Returns the row of a response to a notification.
    private static func responds(_ cause: EventCause, _ parameter: String) -> CauseRule {
        opensSwiftUI(
            cause,
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.notificationResponse), source: .inferred),
                EventCall(
                    .center(.didReceive),
                    .parameter(parameter),
                    part: .repetition,
                    at: .beforeForeground,
                    source: .centerDelegate,
                    order: .inferred
                )
            ),
            .calls(
                .connected,
                EventCall(
                    .center(.didReceive),
                    .parameter(parameter),
                    source: .centerDelegate,
                    order: .inferred
                )
            )
        )
    }

    /// Returns the row of a cause with a URL.
    ///
    /// - Parameters:
    ///   - cause: the cause.
    ///   - source: the source for the call of the view if the scene connects.
    ///   - connected: the source for that call if the scene is connected.
    /// - Returns: the row.
    private static func opensURL(
        _ cause: EventCause,
        _ source: CallbackSource,
        connected: CallbackSource
    ) -> CauseRule {
        opensSwiftUI(
            cause,
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.urlContexts), source: .openSwiftUI),
                .openURL(source, part: .repetition, at: .afterActive),
                notCalled: [.isInOption(.openURLContexts, .urlContexts)]
            ),
            .calls(
                .connected,
                .openURL(connected, at: .beforeForeground),
                EventCall(
                    .scene(.openURLContexts),
                    .parameter("URLContexts"),
                    part: .repetition,
                    at: .beforeForeground,
                    source: .openSwiftUI,
                    order: .inferred
                )
            )
        )
    }

    /// Returns the row of a cause with an activity that is not a link.
    ///
    /// - Parameters:
    ///   - cause: the cause.
    ///   - source: the source for the call of the view.
    /// - Returns: the row.
    private static func continuesActivity(_ cause: EventCause, _ source: CallbackSource = .viewActivity) -> CauseRule {
        opensSwiftUI(
            cause,
            .calls(
                .connecting,
                EventCall(.scene(.willConnect), .option(.userActivities), source: .openSwiftUI),
                .continueActivity(source, part: .repetition, at: .afterActive),
                .continueActivityAgain(.openSwiftUI, at: .afterActive)
            ),
            .calls(
                .connected,
                .continueActivity(source, at: .beforeActive),
                .continueActivityAgain(.openSwiftUI, at: .beforeActive)
            )
        )
    }
}

extension EventCall {
    fileprivate static func openURL(
        _ source: CallbackSource,
        part: EventPart = .event,
        at place: CallPlace
    ) -> EventCall {
        EventCall(
            .view(.onOpenURL),
            .parameter("url"),
            part: part,
            at: place,
            source: source,
            order: .inferred
        )
    }

    fileprivate static func continueActivity(
        _ source: CallbackSource,
        part: EventPart = .event,
        at place: CallPlace
    ) -> EventCall {
        EventCall(
            .view(.onContinueUserActivity),
            .parameter("userActivity"),
            part: part,
            at: place,
            source: source,
            order: .inferred
        )
    }

    /// Returns the call of the scene delegate with an activity that the views received.
    fileprivate static func continueActivityAgain(_ source: CallbackSource, at place: CallPlace) -> EventCall {
        EventCall(
            .scene(.continueUserActivity),
            .parameter("userActivity"),
            part: .repetition,
            at: place,
            source: source,
            order: .inferred
        )
    }

    fileprivate static let announceAtConnection = EventCall(
        .scene(.willConnect),
        .option(.handoffUserActivityType),
        part: .announcement,
        source: .inferred
    )

    fileprivate static let announceActivity = EventCall(
        .scene(.willContinueUserActivity),
        .parameter("userActivityType"),
        part: .announcement,
        source: .inferred
    )

    fileprivate static func failHandoff(at place: CallPlace) -> EventCall {
        EventCall(
            .scene(.didFailToContinueUserActivity),
            .parameter("error"),
            at: place,
            source: .inferred
        )
    }
}

extension AbsentCall {
    /// The methods that other activities reach, but a universal link does not.
    fileprivate static let linkAsActivity = [
        Callback.view(.onContinueUserActivity), .scene(.continueUserActivity), .app(.continueUserActivity),
    ].map { callback in
        AbsentCall(
            callback,
            "a universal link reaches only \(Callback.view(.onOpenURL).signature)",
            source: .swiftUILinks
        )
    }

    fileprivate static let quickAction = AbsentCall(
        .app(.performAction),
        "the app has scenes, and SwiftUI has no modifier for quick actions",
        source: .appQuickAction
    )

    fileprivate static func isInOption(_ method: SceneDelegateMethod, _ option: StartOption) -> AbsentCall {
        AbsentCall(
            .scene(method),
            "the scene connects for the event, which is in \(option.expression)",
            source: .inferred
        )
    }
}
