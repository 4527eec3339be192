/// How a picture looks, apart from what it shows.
public struct Appearance: Sendable, Hashable {
    /// Light or dark, as the person has the device.
    public enum Style: String, Sendable, CaseIterable {
        /// Dark text on a light ground.
        case light

        /// Light text on a dark ground.
        case dark
    }

    /// What is behind an attribution view: the app draws it, and a picture may have a stand-in for it.
    public enum Backdrop: String, Sendable, CaseIterable {
        /// Nothing: the picture is transparent.
        case none

        /// One colour.
        case oneColor

        /// Several colours, which material blurs.
        case colorful
    }

    /// Light or dark.
    public var style: Style

    /// What is behind an attribution view.
    public var backdrop: Backdrop

    /// Creates the value from its parts.
    public init(style: Style = .light, backdrop: Backdrop = .none) {
        self.style = style
        self.backdrop = backdrop
    }
}
