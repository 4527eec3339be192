internal import WaypostSchema

/// The metrics of an attribution view, derived only from its text size.
///
/// The values are Waypost's own. All except the pin's size grow with the line height. They are exact in hundredths of a
/// point.
struct LayoutMetrics {
    let scale: TextScale

    init(_ category: ContentSizeCategory) {
        scale = TextScale(category)
    }

    /// The maximum number of avatars.
    static let maximumAvatars = 3

    /// The height of a line of text.
    var lineHeight: Points { Points(scale.lineHeight) }

    /// The background's padding left and right of the content: two fifths of the line height.
    var horizontalPadding: Points { Points(rawValue: scale.lineHeight * 40) }

    /// The background's padding above and below the content: a fifth of the line height.
    var verticalPadding: Points { Points(rawValue: scale.lineHeight * 20) }

    /// The gap between the avatars, the pin and the text: three tenths of the line height.
    var gap: Points { Points(rawValue: scale.lineHeight * 30) }

    /// The diameter of an avatar: the line height in points, rounded up to an even number, plus 4.
    var avatarDiameter: Points { Points((scale.lineHeight + 1) / 2 * 2 + 4) }

    /// The distance between the left edges of two avatars: three quarters of the diameter, so that they overlap.
    var avatarStep: Points { Points(rawValue: avatarDiameter.rawValue / 4 * 3) }

    /// The side of the pin's square: seven tenths of the text size.
    var pinSide: Points { Points(rawValue: scale.size * 70) }

    /// The height of a view whose height the app did not set.
    var intrinsicHeight: Points { avatarDiameter + verticalPadding * 2 }

    /// The width of a view whose width the app did not limit: sixteen times the line height, which is 320 at the default
    /// text size.
    var standardWidth: Points { Points(scale.lineHeight) * 16 }

    /// Returns the width of a number of overlapping avatars.
    func width(ofAvatars count: Int) -> Points {
        count == 0 ? .zero : avatarDiameter + avatarStep * (count - 1)
    }
}
