import Attribution
import WaypostSchema

extension FuzzTarget {
    /// Choices, texts of the app, and six fields for each person: names, handle, language, conversation.
    static let pictures = FuzzTarget(
        name: "pictures",
        summary: "names through layout to SVG; a second reader of XML finds the same texts, and nothing is too wide"
    ) { bytes in
        var input = SeparatedInput(bytes)
        let request = PictureRequest(&input)
        request.checkAttribution()
        for (picture, label) in request.pictures {
            let document = DrawnPicture(picture)
            document.check(label)
            document.checkWidths()
        }
        for text in request.terminalTexts {
            promise(
                !text.unicodeScalars.contains { $0 != "\n" && $0.isHostileToTerminals },
                "a terminal interprets nothing of a text",
                found: text
            )
        }
    }
}

/// A picture as a viewer reads it.
struct DrawnPicture {
    private let elements: [WellFormedXML.Element]

    init(_ svg: String) {
        do throws(WellFormedXML.Problem) {
            elements = try WellFormedXML(svg).elements
        } catch {
            elements = []
            promise(false, "a picture is well-formed XML", found: (error, svg))
        }
    }

    /// Checks that a picture has only what it may have, and the label as its title.
    func check(_ label: String?) {
        for element in elements {
            promise(Self.names.contains(element.name), "a picture has only shapes and text", found: element)
            for (name, value) in element.attributes {
                promise(!name.hasPrefix("on") && name != "style", "a picture has no handlers", found: element)
                promise(
                    name != "href" || value.hasPrefix("#") || value.hasPrefix("data:image/"),
                    "a picture refers to nothing outside itself",
                    found: element
                )
            }
        }
        guard let label else { return }
        let expected = label.unicodeScalars.map { $0.isXML || $0 == "\t" || $0 == "\r" ? $0 : "\u{FFFD}" }
        let title = elements.first { $0.name == "title" }
        promise(
            title.map { Array($0.text.unicodeScalars) } == expected,
            "the title of a picture is its label",
            found: title as Any
        )
    }

    /// Checks that no line of text leaves the picture at its sides.
    func checkWidths() {
        guard !elements.contains(where: { $0.attributes["transform"] != nil }),
            let width = elements.first?.number("width")
        else { return }
        for element in elements {
            guard let x = element.number("x"), let length = element.number("textLength") else { continue }
            let start = element.attributes["text-anchor"] == "middle" ? x - length / 2 : x
            let fits = start > -0.02 && start + length < width + 0.02
            promise(fits, "a line of text fits into the picture", found: element)
        }
    }

    private static let names: Set = [
        "circle", "clipPath", "defs", "feGaussianBlur", "filter", "g", "image", "linearGradient", "path", "rect",
        "stop", "svg", "symbol", "text", "title", "use",
    ]
}

extension WellFormedXML.Element {
    /// Returns an attribute as a number.
    fileprivate func number(_ name: String) -> Double? {
        attributes[name].flatMap { Double($0) }
    }
}

extension Unicode.Scalar {
    /// Whether a terminal would act on the character.
    fileprivate var isHostileToTerminals: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: ("\u{202A}"..."\u{202E}").contains(self)
        }
    }
}
