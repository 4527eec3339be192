/// The size of text that a person prefers, or that an app allows (`UIContentSizeCategory`).
///
/// The cases stand in the order of their sizes.
public enum ContentSizeCategory: String, StringChoice {
    case extraSmall
    case small
    case medium
    /// The default.
    case large
    case extraLarge
    case extraExtraLarge
    case extraExtraExtraLarge
    case accessibilityMedium
    case accessibilityLarge
    case accessibilityExtraLarge
    case accessibilityExtraExtraLarge
    case accessibilityExtraExtraExtraLarge
}
