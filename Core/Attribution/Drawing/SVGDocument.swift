/// An SVG picture: well-formed XML 1.0 in UTF-8, always the same for the same content.
struct SVGDocument: Sendable {
    /// Its size.
    let size: ExactLayoutSize

    /// A description for users who cannot see the picture.
    let label: String

    /// The language of the text, which selects the fonts for Chinese, Japanese and Korean.
    let language: AttributionLanguage

    /// The definitions that the elements refer to.
    var definitions = SVGDefinitions()

    /// The elements, from back to front.
    var contents: [SVGElement] = []

    /// Creates an empty picture.
    ///
    /// - Parameters:
    ///   - size: the size of the picture.
    ///   - label: a description of the picture.
    ///   - language: the language of the text.
    init(size: ExactLayoutSize, label: String, language: AttributionLanguage) {
        self.size = size
        self.label = label
        self.language = language
    }

    /// The picture as XML.
    var xml: String {
        let root = SVGElement(
            .svg,
            [
                .namespace: "http://www.w3.org/2000/svg", .width: size.width, .height: size.height,
                .viewBox: "0 0 \(size.width) \(size.height)", .role: "img", .language: language.rawValue,
                .fontFamily: language.fontFamilies,
            ],
            children: [SVGElement(.title, text: label)] + [definitions.element].compactMap { $0 } + contents
        )
        var xml = ""
        root.write(to: &xml)
        return xml
    }
}

extension AttributionLanguage {
    /// The fonts, in order of preference.
    ///
    /// Widths are measured for Helvetica; Arial and Liberation Sans have the same.
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
