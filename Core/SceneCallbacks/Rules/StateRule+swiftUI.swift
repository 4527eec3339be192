internal import WaypostSchema

extension StateRule {
    /// The table for an app of SwiftUI that comes to the front.
    static let swiftUI = [
        swiftUILaunch, swiftUIDisconnected, swiftUINewScene, swiftUIBackground, swiftUIBehindOtherScene,
        swiftUIBesideOtherScene, swiftUIInactive, swiftUIActive,
    ]

    static let swiftUILaunch = opensSwiftUI(
        .launching,
        before: [.willFinish, .didFinish, .configure, .connect, .appear],
        notCalled: [
            AbsentCall(
                .app(.didFinishLaunching),
                without: .launchOptions,
                "launchOptions is nil in an app with scenes",
                source: .launchOptions
            ),
            .activation,
        ]
    )

    static let swiftUIDisconnected = opensSwiftUI(
        [.disconnected, .newSceneInBackground],
        before: [.configure, .connect, .appear],
        notCalled: [.launch, .activation]
    )

    static let swiftUINewScene = opensSwiftUI(
        [.newScene],
        before: [.otherResigns, .configure, .connect, .appear],
        after: [.otherIsHidden],
        notCalled: [.launch, .activation]
    )

    static let swiftUIBackground = opensSwiftUI([.background], notCalled: [.activation])

    static let swiftUIBehindOtherScene = opensSwiftUI(
        [.behindOtherScene],
        before: [.otherResigns],
        after: [.otherIsHidden],
        notCalled: [.activation]
    )

    static let swiftUIBesideOtherScene = opensSwiftUI(
        [.besideOtherScene],
        toActive,
        before: [.otherResigns],
        notCalled: [.activation]
    )

    static let swiftUIInactive = opensSwiftUI([.foregroundInactive], toActive, notCalled: [.activation])

    static let swiftUIActive = opensSwiftUI(
        [.foregroundActive],
        [.event(.beforeForeground), .event(.beforeActive), .event(.afterActive)]
    )

    private static let toTheFront: [FrameElement] = [
        .event(.beforeForeground), .enterForeground, .event(.beforeActive), .becomeActive, .scenePhase,
        .event(.afterActive),
    ]

    private static let toActive: [FrameElement] = [
        .event(.beforeForeground), .event(.beforeActive), .becomeActiveAgain, .scenePhase, .event(.afterActive),
    ]

    /// Returns the row for states in which the scene comes to the foreground, or is there.
    ///
    /// - Parameters:
    ///   - states: the states.
    ///   - elements: the calls of the scene on its way.
    ///   - before: the calls before these.
    ///   - after: the calls after these.
    ///   - notCalled: the calls that engineers expect in vain.
    /// - Returns: the row.
    private static func opensSwiftUI(
        _ states: Set<InitialState>,
        _ elements: [FrameElement] = toTheFront,
        before: [FrameElement] = [],
        after: [FrameElement] = [],
        notCalled: [AbsentCall] = []
    ) -> StateRule {
        StateRule(
            lifeCycles: .anySwiftUI,
            effects: [.opensApp],
            states: states,
            outcome: .calls(before + elements + after, notCalled: notCalled)
        )
    }
}

extension FrameElement {
    fileprivate static let willFinish = call(FrameCall(.app(.willFinishLaunching), .launch, source: .swiftUILaunch))
    fileprivate static let didFinish = call(FrameCall(.app(.didFinishLaunching), .launch, source: .swiftUILaunch))
    fileprivate static let configure = call(
        FrameCall(.app(.configurationForConnecting), .connect, source: .openSwiftUI)
    )
    fileprivate static let connect = call(
        FrameCall(.scene(.willConnect), .connect, then: .unattached, source: .openSwiftUI)
    )
    fileprivate static let appear = call(FrameCall(.view(.onAppear), .connect, source: .inferred))
    fileprivate static let enterForeground = call(
        FrameCall(
            .scene(.willEnterForeground),
            .enterForeground,
            then: .foregroundInactive,
            source: .swiftUILaunch
        )
    )
    fileprivate static let becomeActive = call(
        FrameCall(.scene(.didBecomeActive), .activate, then: .foregroundActive, source: .swiftUILaunch)
    )
    fileprivate static let becomeActiveAgain = call(
        FrameCall(.scene(.didBecomeActive), .activate, then: .foregroundActive, source: .inferred)
    )
    fileprivate static let scenePhase = call(
        FrameCall(
            .view(.onScenePhaseChange),
            .activate,
            then: .foregroundActive,
            source: .scenePhase,
            order: .inferred
        )
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
}

extension AbsentCall {
    fileprivate static let launch = AbsentCall(
        .app(.didFinishLaunching),
        "the process runs already; a scene connects more than once in its life",
        source: .reconnections
    )
    fileprivate static let activation = AbsentCall(
        .app(.didBecomeActive),
        "the life cycle of the scenes does not reach the adaptor; use onChange(of: scenePhase)",
        source: .swiftUIMigration
    )
}
