/// The state of the app, and of the scene that was chosen, before the cause.
public enum InitialState: String, StringEnum {
    /// The app does not run; the chosen scene's session is saved.
    case notRunning

    /// The app does not run, and no session was chosen: the first launch, or an event that needs a new scene.
    case notRunningNewScene

    /// The system started the process ahead of time and suspended it; no code of the app's delegate ran.
    case prewarmed

    /// The app runs, without a scene in the foreground; the scene of the chosen session is disconnected.
    case disconnected

    /// The app runs with a scene in the foreground, and no session was chosen: the event needs a new scene.
    case newScene

    /// The app runs, without a scene in the foreground, and no session was chosen: the event needs a new scene.
    case newSceneInBackground

    /// The scene is in the background, or suspended; no scene of the app is in the foreground.
    case background

    /// The scene is in the background, behind another scene of the app.
    case behindOtherScene

    /// The scene is visible beside another scene of the app, which has the focus.
    case besideOtherScene

    /// The scene is in the foreground and receives no events, as below Control Center.
    case foregroundInactive

    /// The scene is in the foreground and receives events.
    case foregroundActive
}
