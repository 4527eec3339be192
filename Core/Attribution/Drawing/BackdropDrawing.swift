/// A renderer for an example of the backdrop that an app draws behind an attribution view.
struct BackdropDrawing: Sendable {
    /// The kind of backdrop.
    let kind: Appearance.Backdrop

    /// The light or dark style.
    let style: Appearance.Style

    /// The area that the backdrop fills.
    let frame: LayoutRectangle

    /// The elements of the backdrop, from back to front; empty if there is none.
    var elements: [SVGElement] {
        let palette = Palette[style]
        switch kind {
        case .none: return []
        case .oneColor: return [SVGElement(frame, fill: palette.oneColor)]
        case .colorful: return [SVGElement(frame, fill: palette.colorful.background)] + discs(palette.colorful.discs)
        }
    }

    /// Returns discs side by side, alternately high and low.
    private func discs(_ colors: [String]) -> [SVGElement] {
        colors.enumerated().map { index, color in
            SVGElement(
                .circle,
                [
                    .cx: frame.x + Points(rawValue: frame.width.rawValue * (2 * index + 1) / (2 * colors.count)),
                    .cy: frame.y + Points(rawValue: frame.height.rawValue * (index.isMultiple(of: 2) ? 1 : 3) / 4),
                    .r: frame.height.half, .fill: color,
                ]
            )
        }
    }
}
