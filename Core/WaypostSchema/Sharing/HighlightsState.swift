/// The state of an app's highlights; an empty list on the platform can mean any of the first three.
public enum HighlightsState: String, StringEnum {
    /// Not all association files of the app's domains were requested yet.
    case notLoaded

    /// The user turned sharing off, or the app lacks the capability.
    case denied

    /// No shared link may be shown in the app.
    case empty

    /// There are highlights.
    case ready
}
