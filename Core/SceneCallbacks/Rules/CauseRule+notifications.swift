internal import WaypostSchema

/// The rows for notifications in an app with scenes.
extension CauseRule {
    static let notificationTap = CauseRule(
        cause: .notificationTap,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(.launching, .responseAtConnection, .response(again: .responseAtLaunch)),
            .calls(
                [.disconnected, .newScene, .newSceneInBackground],
                .responseAtConnection,
                .response(again: .inferred)
            ),
            .calls(.background, .response(.notificationActions, order: .responseBeforeActive)),
            .calls(.foreground, .response(.notificationActions)),
        ]
    )

    static let foregroundAction = CauseRule(
        cause: .foregroundAction,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(.connecting, .responseAtConnection, .response(again: .inferred)),
            .calls(.background, .response(.foregroundOption, order: .inferred)),
            .calls(.foreground, .response(.foregroundOption)),
        ]
    )

    static let backgroundAction = CauseRule(
        cause: .backgroundAction,
        lifeCycles: .withScenes,
        effect: .callsApp,
        cells: [.calls(.all, .response(.notificationActions))]
    )

    static let foregroundText = CauseRule(
        cause: .foregroundText,
        lifeCycles: [.uiScene],
        effect: .opensApp,
        cells: [
            .calls(.connecting, .responseAtConnection, .textResponseAgain),
            .calls(.background, .textResponse(order: .inferred)),
            .calls(.foreground, .textResponse(order: .textResponse)),
        ]
    )

    static let backgroundText = CauseRule(
        cause: .backgroundText,
        lifeCycles: .withScenes,
        effect: .callsApp,
        cells: [.calls(.all, .textResponse(order: .textResponse))]
    )

    static let dismissal = CauseRule(
        cause: .dismissal,
        lifeCycles: .withScenes,
        effect: .callsApp,
        cells: [.calls(.all, .response(.notificationActions))]
    )

    static let foregroundNotification = CauseRule(
        cause: .foregroundNotification,
        lifeCycles: .withScenes,
        effect: .callsApp,
        cells: [
            .calls(.appInForeground, .presentation, notCalled: [.responseWithoutTap]),
            .cannotHappen(.appNotInForeground, shownBySystem),
        ]
    )

    static let silentPush = CauseRule(
        cause: .silentPush,
        lifeCycles: .withScenes,
        effect: .callsApp,
        cells: [.calls(.all, .remoteNotification(.event))]
    )

    static let contentAvailablePush = CauseRule(
        cause: .contentAvailablePush,
        lifeCycles: .withScenes,
        effect: .callsApp,
        cells: [
            .calls(.appInForeground, .presentationOfUpdate, .remoteNotification(.event)),
            .calls(.appNotInForeground, .remoteNotification(.event)),
        ]
    )

    /// The reason that no code runs for a notification.
    static let shownBySystem = "the app is not in the foreground, so the system shows the notification itself"
}

extension EventCall {
    /// The response in the options of the connection.
    fileprivate static let responseAtConnection = EventCall(
        .scene(.willConnect),
        .option(.notificationResponse),
        source: .connectionOptions
    )

    /// The call with a text that is also in the options of the connection.
    fileprivate static let textResponseAgain = EventCall(
        .center(.didReceive),
        .parameter(textParameter),
        part: .repetition,
        at: .beforeForeground,
        source: .inferred
    )

    /// The call before a notification is shown in the foreground.
    static let presentation = EventCall(
        .center(.willPresent),
        .parameter("notification"),
        source: .foregroundPresentation
    )

    /// The call before an alert that also asks for a background update is shown in the foreground.
    static let presentationOfUpdate = EventCall(
        .center(.willPresent),
        .parameter("notification"),
        part: nil,
        source: .foregroundPresentation,
        order: .inferred
    )

    /// Returns the call with a response that is also in the options of the connection.
    fileprivate static func response(again source: CallbackSource) -> EventCall {
        EventCall(
            .center(.didReceive),
            .parameter("response"),
            part: .repetition,
            at: .beforeForeground,
            source: source,
            order: .inferred
        )
    }

    /// The parameter of a response with a text.
    static let textParameter = "response as UNTextInputNotificationResponse"
}

extension AbsentCall {
    /// Only a response to the notification is delivered so.
    static let responseWithoutTap = AbsentCall(
        .center(.didReceive),
        "it is called later, if the user responds to the notification",
        source: .foregroundPresentation
    )
}
