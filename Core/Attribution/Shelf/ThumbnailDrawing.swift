/// A renderer for the picture of a card, clipped to a rectangle with round corners.
struct ThumbnailDrawing: Sendable {
    /// The picture.
    let thumbnail: Thumbnail

    /// The frame of the picture.
    let frame: LayoutRectangle

    /// The light or dark style.
    let style: Appearance.Style

    /// Returns the elements of the picture, from back to front.
    func elements(_ definitions: inout SVGDefinitions) -> [SVGElement] {
        switch thumbnail {
        case .picture(let dataURL):
            let clip = definitions.addClip(SVGElement(frame, radius: Self.radius, fill: Palette[style].card))
            return [
                SVGElement(
                    .image,
                    [
                        .x: frame.x, .y: frame.y, .width: frame.width, .height: frame.height,
                        .preserveAspectRatio: "xMidYMid slice", .clipPath: clip, .href: dataURL,
                    ]
                )
            ]
        case .placeholder(let letter, let color):
            let gradient = definitions.addGradient(of: AvatarTones(of: color, in: style))
            return [
                SVGElement(frame, radius: Self.radius, fill: gradient),
                SVGElement(letters: letter, in: frame, fill: Palette[style].monogram),
            ]
        }
    }

    private static let radius = Points(8)
}
