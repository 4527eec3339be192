/// The text size that a user prefers, or that an app allows (`UIContentSizeCategory`).
///
/// The cases are in order of size.
public enum ContentSizeCategory: String, StringEnum {
    case extraSmall
    case small
    case medium
    /// The default size.
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
