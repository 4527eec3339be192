/// The colours of one style.
///
/// They are ours, after the look of the platform. Text has a contrast of 4.5 or more to all that may be behind it
/// (WCAG 2.2, success criterion 1.4.3).
struct Palette: Sendable {
    /// A colour and how much of what is behind it it hides.
    struct Tint: Sendable {
        /// The colour.
        let color: String

        /// From 0, hides nothing, to 1.
        let opacity: String
    }

    /// The ground of a window.
    let ground: String

    /// What stands out from the ground: a card of a shelf, a menu.
    let card: String

    /// A ground of one colour that an app might have.
    let oneColor: String

    /// A ground of several colours that an app might have: its own colour, and those of what lies on it.
    let colorful: (ground: String, blots: [String])

    /// Text that is read first.
    let label: String

    /// Text beside it: that of attribution views.
    let secondaryLabel: String

    /// Text on blurred colours.
    let materialLabel: String

    /// What lies on blurred colours, so that text can be read.
    let material: Tint

    /// What lies on a ground of one colour.
    let fill: Tint

    /// A line between rows.
    let separator: String

    /// What can be chosen.
    let action: String

    /// What can be chosen and takes something away.
    let destructive: String

    /// The letters of a monogram, and the outline of who has none.
    let monogram: String

    /// The palette of a style.
    static subscript(style: Appearance.Style) -> Palette {
        style == .light ? light : dark
    }

    private static let light = Palette(
        ground: "#F2F2F7",
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
        ground: "#000000",
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
