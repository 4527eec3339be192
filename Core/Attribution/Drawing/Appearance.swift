/// The appearance of a picture, independent of its content.
public struct Appearance: Sendable, Hashable {
    /// The light or dark style that the user has set.
    public enum Style: String, Sendable, CaseIterable {
        /// Dark text on a light background.
        case light

        /// Light text on a dark background.
        case dark
    }

    /// The backdrop of an attribution view.
    ///
    /// An app draws its own; a picture may show an example.
    public enum Backdrop: String, Sendable, CaseIterable {
        /// No backdrop: the picture is transparent.
        case none

        /// A single color.
        case oneColor

        /// Several colors, which the material blurs.
        case colorful
    }

    /// The light or dark style.
    public var style: Style

    /// The backdrop of an attribution view.
    public var backdrop: Backdrop

    /// Creates the value from its parts.
    public init(style: Style = .light, backdrop: Backdrop = .none) {
        self.style = style
        self.backdrop = backdrop
    }
}
