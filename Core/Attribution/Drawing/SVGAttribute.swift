/// The name of an SVG attribute: a closed set without event handlers and styles.
enum SVGAttribute: String {
    case clipPath = "clip-path"
    case clipRule = "clip-rule"
    case cx
    case cy
    case d
    case fill
    case fillOpacity = "fill-opacity"
    case filter
    case fontFamily = "font-family"
    case fontSize = "font-size"
    case fontWeight = "font-weight"
    case height
    /// Only for a picture that is contained in the reference itself (`data:`), or for a definition (`#part-1`).
    case href
    case id
    case language = "xml:lang"
    case lengthAdjust
    case namespace = "xmlns"
    case offset
    case preserveAspectRatio
    case r
    case role
    case rx
    case stdDeviation
    case stopColor = "stop-color"
    case stroke
    case strokeWidth = "stroke-width"
    case textAnchor = "text-anchor"
    case textLength
    case transform
    case viewBox
    case width
    case x
    case x1
    case x2
    case y
    case y1
    case y2
}
