internal import WaypostSchema

/// A renderer for the background of an attribution view: a pill with a tint, over a blurred backdrop if it is material.
struct BackgroundDrawing: Sendable {
    /// The layout, with the frame and the style of the background.
    let layout: AttributionLayout

    /// The backdrop of the view.
    let backdrop: BackdropDrawing

    /// The color of text on the background.
    var textColor: String {
        let palette = Palette[backdrop.style]
        return isMaterial ? palette.materialLabel : palette.secondaryLabel
    }

    /// Returns the elements of the pill, from back to front; empty if the layout has no background.
    func elements(_ definitions: inout SVGDefinitions) -> [SVGElement] {
        guard let frame = layout.background else { return [] }
        let palette = Palette[backdrop.style]
        let tint = isMaterial ? palette.material : palette.fill
        let pill = SVGElement(frame, radius: frame.height.half, fill: tint.color)
        let blurred = isMaterial ? blurredBackdrop(under: pill, &definitions) : []
        return blurred + [pill.adding(.fillOpacity, tint.opacity)]
    }

    private var isMaterial: Bool {
        layout.backgroundStyle == .material
    }

    private func blurredBackdrop(under pill: SVGElement, _ definitions: inout SVGDefinitions) -> [SVGElement] {
        let elements = backdrop.elements
        guard !elements.isEmpty else { return [] }
        let radius = Points(rawValue: layout.size.height.rawValue / 5)
        let blur = definitions.add(.filter, [:], children: [SVGElement(.feGaussianBlur, [.stdDeviation: radius])])
        return [
            SVGElement(
                .g,
                [.clipPath: definitions.addClip(pill)],
                children: [SVGElement(.g, [.filter: blur], children: elements)]
            )
        ]
    }
}
