/// Draws the picture of a card, cut to a square with round corners.
struct ThumbnailDrawing: Sendable {
    /// The picture.
    let thumbnail: Thumbnail

    /// Where it is.
    let frame: LayoutRectangle

    /// Light or dark.
    let style: Appearance.Style

    /// Returns what is drawn, from the back to the front.
    func elements(_ definitions: inout SVGDefinitions) -> [SVGElement] {
        switch thumbnail {
        case .picture(let data):
            let clip = definitions.clip(SVGElement(frame, radius: Self.radius, fill: Palette[style].card))
            return [
                SVGElement(
                    .image,
                    [
                        .x: frame.x, .y: frame.y, .width: frame.width, .height: frame.height,
                        .preserveAspectRatio: "xMidYMid slice", .clipPath: clip, .href: data,
                    ]
                )
            ]
        case .placeholder(let letter, let color):
            let gradient = definitions.gradient(of: AvatarTones(of: color, in: style))
            return [
                SVGElement(frame, radius: Self.radius, fill: gradient),
                SVGElement(letters: letter, in: frame, fill: Palette[style].monogram),
            ]
        }
    }

    private static let radius = Points(8)
}
