/// The two tones of an avatar's gradient, from top to bottom.
///
/// There are twelve hues of Waypost's own, different enough to distinguish neighboring avatars. They are dark under
/// white letters in light style, and pale under dark letters in dark style.
struct AvatarTones: Sendable, Hashable {
    /// The tone at the top.
    let upper: String

    /// The tone at the bottom.
    let lower: String

    /// Creates the tones of a color.
    ///
    /// - Parameters:
    ///   - color: the color.
    ///   - style: light or dark.
    init(of color: AvatarColor, in style: Appearance.Style) {
        let tones = (style == .light ? Self.light : Self.dark)[color.index]
        (upper, lower) = tones
    }

    private static let light = [
        ("#CA444E", "#AD2637"), ("#C8491D", "#A83403"), ("#AF5E05", "#8E4B01"), ("#926D01", "#765800"),
        ("#6A7903", "#566203"), ("#038634", "#046B29"), ("#028171", "#02695B"), ("#017E9A", "#06657B"),
        ("#1972D4", "#025BB2"), ("#6665D6", "#524DBD"), ("#9755C2", "#803EA9"), ("#BF4588", "#A42B70"),
    ]

    private static let dark = [
        ("#FEBEBD", "#FD8A8C"), ("#FEC0AD", "#FC8F6E"), ("#FEC396", "#F2994E"), ("#EFCC83", "#DAA932"),
        ("#CBDA8E", "#A9BD4B"), ("#A4E4AC", "#6DC97D"), ("#81E7D3", "#11CDB4"), ("#80E1FE", "#04C4ED"),
        ("#B3D4FF", "#7AB4FE"), ("#C7CDFF", "#A2A8FE"), ("#E4C1FF", "#CC97F3"), ("#FEBAD9", "#F38ABE"),
    ]
}
