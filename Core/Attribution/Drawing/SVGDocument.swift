/// An SVG picture: well-formed XML 1.0 in UTF-8, the same for the same contents.
struct SVGDocument: Sendable {
    /// Its size.
    let size: LayoutExtent

    /// What is to be seen, in words, for who cannot see it.
    let label: String

    /// The language of its words: fonts for Chinese, Japanese and Korean are chosen by it.
    let language: AttributionLanguage

    /// What its parts refer to.
    var definitions = SVGDefinitions()

    /// What is drawn, from the back to the front.
    var contents: [SVGElement] = []

    /// Creates an empty picture.
    ///
    /// - Parameters:
    ///   - size: its size.
    ///   - label: what is to be seen, in words.
    ///   - language: the language of its words.
    init(size: LayoutExtent, label: String, language: AttributionLanguage) {
        self.size = size
        self.label = label
        self.language = language
    }

    /// The picture as text.
    var text: String {
        let root = SVGElement(
            .svg,
            [
                .namespace: "http://www.w3.org/2000/svg", .width: size.width, .height: size.height,
                .viewBox: "0 0 \(size.width) \(size.height)", .role: "img", .language: language.rawValue,
                .fontFamily: language.fontFamilies,
            ],
            [SVGElement(.title, text: label)] + [definitions.element].compactMap { $0 } + contents
        )
        var text = ""
        root.write(to: &text)
        return text
    }
}

extension AttributionLanguage {
    /// The fonts to look for, the first that is there; widths are measured for Helvetica, and Arial and Liberation Sans are
    /// as wide.
    fileprivate var fontFamilies: String {
        let eastAsian =
            switch self {
            case .english, .simplifiedChinese: "'Noto Sans CJK SC'"
            case .japanese: "'Noto Sans CJK JP'"
            case .korean: "'Noto Sans CJK KR'"
            }
        return "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', \(eastAsian), sans-serif"
    }
}
