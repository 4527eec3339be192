internal import WaypostSchema

/// Draws what the contents of an attribution view stand on: a pill of one tint, or of what is behind it, blurred.
struct AttributionBackground: Sendable {
    /// Where the pill is, and whether it is material.
    let layout: AttributionLayout

    /// What is behind the view.
    let backdrop: Backdrop

    /// The colour of text on it.
    var textColor: String {
        let palette = Palette[backdrop.style]
        return isMaterial ? palette.materialLabel : palette.secondaryLabel
    }

    /// Returns the pill, from the back to the front; empty where the layout has none.
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
        let blur = definitions.add(.filter, [:], [SVGElement(.feGaussianBlur, [.stdDeviation: radius])])
        return [
            SVGElement(.g, [.clipPath: definitions.clip(pill)], [SVGElement(.g, [.filter: blur], elements)])
        ]
    }
}
