/// An element of an SVG picture.
///
/// Names come from closed sets. So no text that people send can add a script, a handler, a style sheet or a reference
/// to anything outside the picture.
struct SVGElement: Sendable, Hashable {
    /// The elements that a picture may contain.
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
        case symbol
        case text
        case title
        case use
    }

    private let name: Name
    private var attributes: [String]
    private let children: [SVGElement]
    private let text: String?

    /// Creates an element with children or with text.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - attributes: its attributes, written in this order.
    ///   - children: its children.
    ///   - text: any text; if it is not `nil`, it is written instead of the children.
    init(
        _ name: Name,
        _ attributes: KeyValuePairs<SVGAttribute, any CustomStringConvertible> = [:],
        children: [SVGElement] = [],
        text: String? = nil
    ) {
        self.name = name
        self.attributes = attributes.map(Self.serialized)
        self.children = children
        self.text = text
    }

    private static func serialized(_ attribute: SVGAttribute, _ value: any CustomStringConvertible) -> String {
        "\(attribute.rawValue)=\"\(value.description.escapedForXML)\""
    }

    /// Returns the element with one more attribute at the end.
    func adding(_ attribute: SVGAttribute, _ value: any CustomStringConvertible) -> SVGElement {
        var element = self
        element.attributes.append(Self.serialized(attribute, value))
        return element
    }

    /// Writes the element and its children, each on its own line, indented by depth.
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
    /// The text escaped for XML 1.0, in an element or in a quoted attribute.
    ///
    /// Characters that XML cannot contain, not even as references (XML 1.0, production 2), become U+FFFD. Line breaks
    /// and tabs become references, because a parser would normalize them in an attribute.
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
