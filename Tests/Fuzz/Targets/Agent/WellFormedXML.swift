/// A second opinion on a picture: the parts of XML 1.0 that pictures use, and an error for anything else.
///
/// A picture has elements, attributes in double quotes, text, and references to the five predefined entities or to
/// white space. It has no declarations, comments, instructions and sections.
struct WellFormedXML {
    /// An element with its attributes and its own text.
    struct Element {
        var name: String
        var attributes: [String: String] = [:]
        var text = ""
    }

    /// The first thing that is not well-formed, and its offset in scalars.
    struct Problem: Error {
        var expected: String
        var offset: Int
    }

    /// The elements, in the order in which they begin.
    private(set) var elements: [Element] = []

    private let scalars: [Unicode.Scalar]
    private var position = 0

    /// The indices of the elements that are not closed.
    private var open: [Int] = []

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "#9": "\t", "#10": "\n", "#13": "\r",
    ]

    /// Reads a document.
    ///
    /// - Throws: `Problem` if it is not well-formed.
    init(_ text: String) throws(Problem) {
        scalars = Array(text.unicodeScalars)
        while position < scalars.count {
            if scalars[position] == "<" { try readTag() } else { try readText() }
        }
        guard open.isEmpty, !elements.isEmpty else { throw problem("the end of an element") }
    }

    private var current: Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    private func problem(_ expected: String) -> Problem {
        Problem(expected: expected, offset: position)
    }

    private mutating func expect(_ scalar: Unicode.Scalar) throws(Problem) {
        guard current == scalar else { throw problem("'\(scalar)'") }
        position += 1
    }

    private mutating func skipSpace() {
        while let scalar = current, scalar == " " || scalar == "\n" { position += 1 }
    }

    private mutating func readName() throws(Problem) -> String {
        let start = position
        while let scalar = current, scalar.isASCII, scalar.properties.isAlphabetic || scalar.isNameSeparator,
            position > start || scalar.properties.isAlphabetic
        {
            position += 1
        }
        guard position > start else { throw problem("a name") }
        return String(String.UnicodeScalarView(scalars[start..<position]))
    }

    private mutating func readTag() throws(Problem) {
        try expect("<")
        if current == "/" { return try readEnd() }
        guard elements.isEmpty || !open.isEmpty else { throw problem("only one root") }
        var element = Element(name: try readName())
        var hasSpace = current == " "
        skipSpace()
        while current != ">", current != "/" {
            guard hasSpace else { throw problem("a space") }
            let name = try readName()
            try expect("=")
            let value = try readValue()
            guard element.attributes.updateValue(value, forKey: name) == nil else { throw problem("another attribute") }
            hasSpace = current == " "
            skipSpace()
        }
        elements.append(element)
        if current == "/" { position += 1 } else { open.append(elements.count - 1) }
        try expect(">")
    }

    private mutating func readEnd() throws(Problem) {
        try expect("/")
        let name = try readName()
        guard let index = open.popLast(), elements[index].name == name else { throw problem("the open element") }
        try expect(">")
    }

    private mutating func readValue() throws(Problem) -> String {
        try expect("\"")
        var value = ""
        while let scalar = current, scalar != "\"" { value.unicodeScalars.append(try readScalar(scalar)) }
        try expect("\"")
        return value
    }

    private mutating func readText() throws(Problem) {
        var text = ""
        while let scalar = current, scalar != "<" { text.unicodeScalars.append(try readScalar(scalar)) }
        if let index = open.last {
            elements[index].text += text
        } else if text.contains(where: { $0 != " " && $0 != "\n" }) {
            throw problem("no text outside the root")
        }
    }

    /// Returns the scalar here, or that of the reference here.
    private mutating func readScalar(_ scalar: Unicode.Scalar) throws(Problem) -> Unicode.Scalar {
        guard scalar == "&" else {
            guard scalar.isXML, scalar != "<", scalar != ">" else { throw problem("a character or a reference") }
            position += 1
            return scalar
        }
        position += 1
        let start = position
        while let next = current, next != ";", position - start < 6 { position += 1 }
        let name = String(String.UnicodeScalarView(scalars[start..<position]))
        guard let referenced = Self.entities[name] else { throw problem("a predefined entity") }
        try expect(";")
        return referenced
    }
}

extension Unicode.Scalar {
    /// Whether a name may have the character after its first.
    fileprivate var isNameSeparator: Bool {
        ("0"..."9").contains(self) || self == "-" || self == ":" || self == "."
    }

    /// Whether XML 1.0 can have the character (production 2); other white space than a line feed is a reference.
    var isXML: Bool {
        self == "\n" || value >= 0x20 && value != 0xFFFE && value != 0xFFFF
    }
}
