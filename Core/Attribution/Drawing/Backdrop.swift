/// Draws what is behind an attribution view: a stand-in for what the app has there.
struct Backdrop: Sendable {
    /// What is behind.
    let kind: Appearance.Backdrop

    /// Light or dark.
    let style: Appearance.Style

    /// What it fills.
    let frame: LayoutRectangle

    /// What is drawn, from the back to the front; empty for nothing.
    var elements: [SVGElement] {
        let palette = Palette[style]
        switch kind {
        case .none: return []
        case .oneColor: return [SVGElement(frame, fill: palette.oneColor)]
        case .colorful: return [SVGElement(frame, fill: palette.colorful.ground)] + blots(palette.colorful.blots)
        }
    }

    /// Discs beside each other, by turns high and low.
    private func blots(_ colors: [String]) -> [SVGElement] {
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

extension SVGElement {
    /// Creates a filled rectangle.
    ///
    /// - Parameters:
    ///   - frame: where it is.
    ///   - radius: the radius of its corners.
    ///   - fill: its colour.
    init(_ frame: LayoutRectangle, radius: Points = .zero, fill: String) {
        self.init(
            .rect,
            [.x: frame.x, .y: frame.y, .width: frame.width, .height: frame.height, .rx: radius, .fill: fill]
        )
    }
}
