internal import WaypostSchema

extension MistakeRule {
    /// The rows about new scenes: the declarations of the app, and its own requests.
    static let newScenes = [duplicateWindow, noDeclarationMatches, windowPerEvent]

    static let duplicateWindow = MistakeRule(
        .duplicateWindow,
        causes: [.sceneRequest],
        states: [.newScene, .newSceneInBackground],
        has: [.lifeCycle(.withScenes), .practice(.requestsNewSessionEachTime)],
        message: "each request makes another window for the same content: pass the session to "
            + "activateSceneSession(for:errorHandler:), or a role and an activity with a targetContentIdentifier",
        source: .observed(1, "omarshahine/HomeClaw#14")
    )

    static let noDeclarationMatches = MistakeRule(
        .noDeclarationMatches,
        causes: events,
        states: newSceneStates,
        has: [.declarations(.allHaveMatching)],
        lacks: [.declarations(.oneMatchesAnything)],
        message:
            "each declaration has handlesExternalEvents(matching:), so that nothing opens for other content: leave "
            + "one without the modifier, or give one the set [\"*\"]",
        source: .observed(1, "home-assistant/iOS#4787")
    )

    static let windowPerEvent = MistakeRule(
        .windowPerEvent,
        causes: events,
        states: newSceneStates,
        has: [.declarations(.groupWithoutMatching), .declarations(.onlySomeContentIsAccepted)],
        lacks: [.declarations(.contentIsPreferred)],
        message: "no view prefers or accepts other content, so that each such event makes another window: use "
            + "handlesExternalEvents(preferring:allowing:) in the views of the WindowGroup",
        source: .observed(3, "manaflow-ai/cmux#7829, manaflow-ai/cmux#1918, prime-radiant-inc/clearance#6")
    )

    /// The states in which an event needs a new scene.
    private static let newSceneStates: Set<InitialState> = [.notRunningNewScene, .newScene, .newSceneInBackground]
}
