/// The number of scenes that the user of a device sees at the same time.
public enum WindowLayout: String, StringEnum {
    /// One scene fills the screen.
    case fullScreen

    /// Two scenes are side by side, of one app or of two.
    case twoWindows

    /// Every scene has a window, as on a Mac.
    case manyWindows
}
