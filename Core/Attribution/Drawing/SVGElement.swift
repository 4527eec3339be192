/// An element of an SVG picture.
///
/// Names come from closed sets, so that no picture can hold a script, a handler, a style sheet or a reference to
/// anything outside it, whatever the texts are that people sent.
struct SVGElement: Sendable, Hashable {
    /// What elements a picture may have.
    enum Name: String {
        case circle
        case clipPath
        case defs
        case feGaussianBlur
        case filter
        case g
        case image
        case linearGradient
        case path
        case rect
        case stop
        case svg
        case text
        case title
    }

    private let name: Name
    private var attributes: [String]
    private let children: [SVGElement]
    private let text: String?

    /// Creates an element with others or with text in it.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - attributes: its attributes, written in this order.
    ///   - children: the elements in it.
    ///   - text: any text, which stands in it instead of elements.
    init(
        _ name: Name,
        _ attributes: KeyValuePairs<SVGAttribute, any CustomStringConvertible> = [:],
        _ children: [SVGElement] = [],
        text: String? = nil
    ) {
        self.name = name
        self.attributes = attributes.map(Self.written)
        self.children = children
        self.text = text
    }

    private static func written(_ attribute: SVGAttribute, _ value: any CustomStringConvertible) -> String {
        "\(attribute.rawValue)=\"\(value.description.escapedForXML)\""
    }

    /// Returns the element with another attribute after its own.
    func adding(_ attribute: SVGAttribute, _ value: any CustomStringConvertible) -> SVGElement {
        var element = self
        element.attributes.append(Self.written(attribute, value))
        return element
    }

    /// Writes the element, one on each line, indented by its depth.
    func write(to output: inout String, depth: Int = 0) {
        let indent = String(repeating: "  ", count: depth)
        let start = ([name.rawValue] + attributes).joined(separator: " ")
        if let text {
            output += "\(indent)<\(start)>\(text.escapedForXML)</\(name.rawValue)>\n"
        } else if children.isEmpty {
            output += "\(indent)<\(start)/>\n"
        } else {
            output += "\(indent)<\(start)>\n"
            for child in children { child.write(to: &output, depth: depth + 1) }
            output += "\(indent)</\(name.rawValue)>\n"
        }
    }
}

extension String {
    /// The text as it stands in XML 1.0, in an element or between the quotes of an attribute.
    ///
    /// What XML cannot hold, not even as a reference (XML 1.0, production 2), becomes U+FFFD. Line breaks and tabs become
    /// references, as a reader would change them in an attribute.
    var escapedForXML: String {
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": escaped.unicodeScalars.append("\u{FFFD}")
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
