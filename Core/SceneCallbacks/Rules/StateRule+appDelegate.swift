internal import WaypostSchema

extension StateRule {
    /// The table for an app without scenes.
    static let appDelegate = [
        appLaunch, appInBackground, appInactive, appActive, appBackgroundLaunch, appBackgroundCall,
        appForegroundCall, appWithoutSessions,
    ]

    // MARK: The app comes to the front

    static let appLaunch = StateRule(
        lifeCycles: [.appDelegate],
        effects: [.opensApp],
        states: [.notRunning, .prewarmed],
        outcome: .calls(
            [
                .willFinish, .restore, .didFinish, .event(.beforeForeground), .event(.beforeActive),
                .becomeActive, .event(.afterActive),
            ],
            notCalled: [
                AbsentCall(
                    .app(.willEnterForeground),
                    "a launched app becomes active without it",
                    source: .appWithoutScenesTests
                )
            ]
        )
    )

    static let appInBackground = StateRule(
        lifeCycles: [.appDelegate],
        effects: [.opensApp],
        states: [.background],
        outcome: .calls(
            [
                .enterForeground, .event(.beforeForeground), .event(.beforeActive), .becomeActive,
                .event(.afterActive),
            ],
            notCalled: []
        )
    )

    static let appInactive = StateRule(
        lifeCycles: [.appDelegate],
        effects: [.opensApp],
        states: [.foregroundInactive],
        outcome: .calls(
            [.event(.beforeForeground), .event(.beforeActive), .becomeActiveAgain, .event(.afterActive)],
            notCalled: []
        )
    )

    static let appActive = StateRule(
        lifeCycles: [.appDelegate],
        effects: [.opensApp],
        states: [.foregroundActive],
        outcome: .calls([.event(.beforeForeground), .event(.beforeActive), .event(.afterActive)], notCalled: [])
    )

    // MARK: The app stays as it is

    static let appBackgroundLaunch = StateRule(
        lifeCycles: [.appDelegate],
        effects: [.callsApp],
        states: [.notRunning, .prewarmed],
        outcome: .calls(
            [
                .willFinishInBackground, .didFinishInBackground, .event(.beforeForeground), .event(.beforeActive),
                .event(.afterActive),
            ],
            notCalled: [
                AbsentCall(
                    .app(.didBecomeActive),
                    "the app stays in the background",
                    source: .notificationActions
                )
            ]
        )
    )

    static let appBackgroundCall = StateRule(
        lifeCycles: [.appDelegate],
        effects: [.callsApp],
        states: [.background],
        outcome: .calls(
            [.event(.beforeForeground), .event(.beforeActive), .event(.afterActive)],
            notCalled: [
                AbsentCall(
                    .app(.willEnterForeground),
                    "the app stays in the background",
                    source: .notificationActions
                )
            ]
        )
    )

    static let appForegroundCall = StateRule(
        lifeCycles: [.appDelegate],
        effects: [.callsApp],
        states: [.foregroundInactive, .foregroundActive],
        outcome: .calls([.event(.beforeForeground), .event(.beforeActive), .event(.afterActive)], notCalled: [])
    )

    static let appWithoutSessions = StateRule(
        lifeCycles: [.appDelegate],
        effects: Set(EventEffect.allCases),
        states: [
            .notRunningNewScene, .disconnected, .newScene, .newSceneInBackground, .behindOtherScene, .besideOtherScene,
        ],
        outcome: .cannotHappen("an app without scenes has no scene sessions")
    )
}

extension FrameElement {
    fileprivate static let willFinish = call(
        FrameCall(.app(.willFinishLaunching), .launch, then: .foregroundInactive, source: .launchSequence)
    )
    fileprivate static let restore = call(
        FrameCall(.app(.didDecodeRestorableState), .launch, if: .stateWasSaved, source: .launchSequence)
    )
    fileprivate static let didFinish = call(
        FrameCall(.app(.didFinishLaunching), .launch, then: .foregroundInactive, source: .launchSequence)
    )
    fileprivate static let enterForeground = call(
        FrameCall(
            .app(.willEnterForeground),
            .enterForeground,
            then: .foregroundInactive,
            source: .appOpenURL,
            order: .appWithoutScenesOrder
        )
    )
    fileprivate static let becomeActive = call(
        FrameCall(
            .app(.didBecomeActive),
            .activate,
            then: .foregroundActive,
            source: .launchSequence,
            order: .appWithoutScenesOrder
        )
    )
    fileprivate static let becomeActiveAgain = call(
        FrameCall(.app(.didBecomeActive), .activate, then: .foregroundActive, source: .inferred)
    )
    fileprivate static let willFinishInBackground = call(
        FrameCall(.app(.willFinishLaunching), .launch, then: .background, source: .launchSequence)
    )
    fileprivate static let didFinishInBackground = call(
        FrameCall(.app(.didFinishLaunching), .launch, then: .background, source: .launchSequence)
    )
}
