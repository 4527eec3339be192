/// The colors of one style.
///
/// The colors are Waypost's own, modeled on the platform's look. Text has a contrast of at least 4.5 with everything
/// that may be behind it (WCAG 2.2, success criterion 1.4.3).
struct Palette: Sendable {
    /// A color with its opacity.
    struct Tint: Sendable {
        /// The color.
        let color: String

        /// The opacity, from 0 (invisible) to 1.
        let opacity: String
    }

    /// The background of a window.
    let background: String

    /// The background of a shelf's card or a menu.
    let card: String

    /// A backdrop of a single color, as an app might have it.
    let oneColor: String

    /// A backdrop of several colors, as an app might have it: its base color, and those of the discs on it.
    let colorful: (background: String, discs: [String])

    /// Primary text.
    let label: String

    /// Secondary text, such as that of attribution views.
    let secondaryLabel: String

    /// Text on material.
    let materialLabel: String

    /// The tint over blurred colors that keeps text readable.
    let material: Tint

    /// The tint over a single color.
    let fill: Tint

    /// The line between rows.
    let separator: String

    /// The text of an action.
    let action: String

    /// The text of a destructive action.
    let destructive: String

    /// The letters of a monogram, and the outline of a person without one.
    let monogram: String

    /// Returns the palette of a style.
    static subscript(style: Appearance.Style) -> Palette {
        style == .light ? light : dark
    }

    private static let light = Palette(
        background: "#F2F2F7",
        card: "#FFFFFF",
        oneColor: "#FCEFD9",
        colorful: ("#3D6FD6", ["#F2A33A", "#D9447A", "#35B58C", "#F5E663"]),
        label: "#1C1C1E",
        secondaryLabel: "#5C5C63",
        materialLabel: "#3C3C43",
        material: Tint(color: "#E9E9EE", opacity: "0.78"),
        fill: Tint(color: "#787880", opacity: "0.12"),
        separator: "#D1D1D6",
        action: "#0A5FC4",
        destructive: "#C9252D",
        monogram: "#FFFFFF"
    )

    private static let dark = Palette(
        background: "#000000",
        card: "#1C1C1E",
        oneColor: "#14263D",
        colorful: ("#1E3C7D", ["#B06A12", "#8F2450", "#1C7357", "#A79A22"]),
        label: "#FFFFFF",
        secondaryLabel: "#AEAEB6",
        materialLabel: "#EBEBF0",
        material: Tint(color: "#2C2C2E", opacity: "0.78"),
        fill: Tint(color: "#787880", opacity: "0.24"),
        separator: "#48484A",
        action: "#6CB4FF",
        destructive: "#FF7B72",
        monogram: "#1C1C1E"
    )
}
