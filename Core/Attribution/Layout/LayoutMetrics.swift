internal import WaypostSchema

/// The lengths that everything in an attribution view has, from the size of its text alone.
///
/// They are ours. All but the pin's grow with the height of a line; they are exact in hundredths of a point.
struct LayoutMetrics {
    let scale: TextScale

    init(_ category: ContentSizeCategory) {
        scale = TextScale(category)
    }

    /// How many avatars are shown at most.
    static let greatestNumberOfAvatars = 3

    /// The height of a line of text.
    var lineHeight: Points { Points(scale.lineHeight) }

    /// Two fifths of a line: what the background reaches beyond the contents at the left and at the right.
    var horizontalPadding: Points { Points(rawValue: scale.lineHeight * 40) }

    /// A fifth of a line: what the background reaches beyond the contents above and below.
    var verticalPadding: Points { Points(rawValue: scale.lineHeight * 20) }

    /// Three tenths of a line: what is between the avatars, the pin and the text.
    var gap: Points { Points(rawValue: scale.lineHeight * 30) }

    /// The diameter of an avatar: the even number of points that a line has, or one more, and four.
    var avatar: Points { Points((scale.lineHeight + 1) / 2 * 2 + 4) }

    /// How much further to the right each avatar stands than the one before: three quarters of it, so that they overlap.
    var avatarStep: Points { Points(rawValue: avatar.rawValue / 4 * 3) }

    /// The side of the pin's square: seven tenths of the size of the text.
    var pin: Points { Points(rawValue: scale.size * 70) }

    /// The height that a view has of itself.
    var intrinsicHeight: Points { avatar + verticalPadding * 2 }

    /// Returns how wide so many avatars are, one over the other.
    func width(ofAvatars count: Int) -> Points {
        count == 0 ? .zero : avatar + avatarStep * (count - 1)
    }
}
