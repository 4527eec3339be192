internal import WaypostSchema

extension StateRule {
    /// The table for an app with scenes; SwiftUI has its own rows for the way to the front.
    static let scenes = [
        notRunning, notRunningNewScene, prewarmed, disconnected, newScene, newSceneInBackground, background,
        behindOtherScene,
        besideOtherScene, foregroundInactive, foregroundActive, backgroundLaunch, backgroundCall,
        foregroundCall,
    ]

    // MARK: The app comes to the front

    static let notRunning = opens(
        .notRunning,
        [.willFinish, .didFinish, .connect],
        notCalled: [
            .launchOptions,
            AbsentCall(
                .app(.configurationForConnecting),
                "a saved session has its configuration; set things up in scene(_:willConnectTo:options:)",
                source: .savedConfiguration
            ),
        ]
    )

    static let notRunningNewScene = opens(
        .notRunningNewScene,
        [.willFinish, .didFinish, .configure, .connect],
        notCalled: [.launchOptions]
    )

    static let prewarmed = opens(
        .prewarmed,
        [.willFinishPrewarmed, .didFinish, .connect],
        notCalled: [.launchOptions]
    )

    static let disconnected = opens(.disconnected, [.reconnect], notCalled: [.launch])

    static let newScene = opens(
        .newScene,
        [.otherResigns, .configure, .connect],
        after: [.otherIsHidden],
        notCalled: [.launch]
    )

    static let newSceneInBackground = opens(.newSceneInBackground, [.configure, .connect], notCalled: [.launch])

    static let background = opens(.background, [])

    static let behindOtherScene = opens(.behindOtherScene, [.otherResigns], after: [.otherIsHidden])

    static let besideOtherScene = isVisible(
        .besideOtherScene,
        [
            .otherResignsBeside, .event(.beforeForeground), .event(.beforeActive), .becomeActiveBeside,
            .event(.afterActive),
        ]
    )

    static let foregroundInactive = isVisible(
        .foregroundInactive,
        [.event(.beforeForeground), .event(.beforeActive), .becomeActiveAgain, .event(.afterActive)]
    )

    static let foregroundActive = isVisible(
        .foregroundActive,
        [.event(.beforeForeground), .event(.beforeActive), .event(.afterActive)]
    )

    // MARK: The app stays as it is

    static let backgroundLaunch = StateRule(
        lifeCycles: .withScenes,
        effects: [.callsApp],
        states: .launching,
        outcome: .calls(
            [
                .willFinishInBackground, .didFinishInBackground, .event(.beforeForeground), .event(.beforeActive),
                .event(.afterActive), .connectInBackground,
            ],
            notCalled: [
                .launchOptions,
                AbsentCall(
                    .scene(.willEnterForeground),
                    "the app stays in the background; work without a scene",
                    source: .backgroundLaunches
                ),
            ]
        )
    )

    static let backgroundCall = StateRule(
        lifeCycles: .withScenes,
        effects: [.callsApp],
        states: [.disconnected, .newSceneInBackground, .background],
        outcome: .calls(
            [.event(.beforeForeground), .event(.beforeActive), .event(.afterActive)],
            notCalled: [
                AbsentCall(
                    .scene(.willEnterForeground),
                    "the app stays in the background",
                    source: .notificationActions
                )
            ]
        )
    )

    static let foregroundCall = StateRule(
        lifeCycles: .withScenes,
        effects: [.callsApp],
        states: .appInForeground,
        outcome: .calls([.event(.beforeForeground), .event(.beforeActive), .event(.afterActive)], notCalled: [])
    )

    /// Returns the row for a state in which the scene comes to the foreground.
    ///
    /// - Parameters:
    ///   - state: the state.
    ///   - before: the calls before the scene comes to the foreground.
    ///   - after: the calls after it became active.
    ///   - notCalled: the calls that engineers expect in vain.
    /// - Returns: the row.
    private static func opens(
        _ state: InitialState,
        _ before: [FrameElement],
        after: [FrameElement] = [],
        notCalled: [AbsentCall] = []
    ) -> StateRule {
        let toTheFront: [FrameElement] = [
            .event(.beforeForeground), .enterForeground, .event(.beforeActive), .becomeActive,
            .event(.afterActive),
        ]
        return StateRule(
            lifeCycles: [.uiScene],
            effects: [.opensApp],
            states: [state],
            outcome: .calls(before + toTheFront + after, notCalled: notCalled)
        )
    }

    /// Returns the row for a state in which the scene is in the foreground.
    private static func isVisible(_ state: InitialState, _ elements: [FrameElement]) -> StateRule {
        StateRule(
            lifeCycles: [.uiScene],
            effects: [.opensApp],
            states: [state],
            outcome: .calls(elements, notCalled: [])
        )
    }
}

extension FrameElement {
    fileprivate static let willFinish = call(FrameCall(.app(.willFinishLaunching), .launch, source: .appLaunch))
    fileprivate static let willFinishPrewarmed = call(
        FrameCall(.app(.willFinishLaunching), .launch, source: .launchSequence)
    )
    fileprivate static let didFinish = call(FrameCall(.app(.didFinishLaunching), .launch, source: .appLaunch))
    fileprivate static let configure = call(
        FrameCall(.app(.configurationForConnecting), .connect, source: .sceneConfiguration)
    )
    fileprivate static let connect = call(
        FrameCall(.scene(.willConnect), .connect, then: .unattached, source: .appLaunch)
    )
    fileprivate static let reconnect = call(
        FrameCall(
            .scene(.willConnect),
            .connect,
            then: .unattached,
            source: .sceneDisconnection,
            order: .reconnections
        )
    )
    fileprivate static let enterForeground = call(
        FrameCall(
            .scene(.willEnterForeground),
            .enterForeground,
            then: .foregroundInactive,
            source: .sceneForeground
        )
    )
    fileprivate static let becomeActive = call(
        FrameCall(.scene(.didBecomeActive), .activate, then: .foregroundActive, source: .sceneForeground)
    )
    fileprivate static let becomeActiveBeside = call(
        FrameCall(.scene(.didBecomeActive), .activate, then: .foregroundActive, source: .severalScenesTests)
    )
    fileprivate static let becomeActiveAgain = call(
        FrameCall(.scene(.didBecomeActive), .activate, then: .foregroundActive, source: .inferred)
    )
    fileprivate static let otherResigns = call(
        FrameCall(
            .scene(.willResignActive),
            .resign,
            of: .other,
            then: .foregroundInactive,
            source: .inferred
        )
    )
    fileprivate static let otherResignsBeside = call(
        FrameCall(
            .scene(.willResignActive),
            .resign,
            of: .other,
            then: .foregroundInactive,
            source: .severalScenesTests
        )
    )
    fileprivate static let otherIsHidden = call(
        FrameCall(
            .scene(.didEnterBackground),
            .enterBackground,
            of: .other,
            then: .background,
            if: .otherSceneIsHidden,
            source: .inferred
        )
    )
    fileprivate static let willFinishInBackground = call(
        FrameCall(.app(.willFinishLaunching), .launch, source: .backgroundLaunches)
    )
    fileprivate static let didFinishInBackground = call(
        FrameCall(.app(.didFinishLaunching), .launch, source: .backgroundLaunches)
    )
    fileprivate static let connectInBackground = call(
        FrameCall(
            .scene(.willConnect),
            .connect,
            then: .background,
            if: .systemConnectsScene,
            source: .lifeCycleGuide,
            order: .inferred
        )
    )
}

extension AbsentCall {
    fileprivate static let launchOptions = AbsentCall(
        .app(.didFinishLaunching),
        without: .launchOptions,
        "launchOptions is nil in an app with scenes",
        source: .launchOptions
    )
    fileprivate static let launch = AbsentCall(
        .app(.didFinishLaunching),
        "the process runs already; a scene connects more than once in its life",
        source: .reconnections
    )
}
