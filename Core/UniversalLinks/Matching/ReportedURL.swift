/// The parts of a URL for messages: as they are compared with rules, but in their original case.
struct ReportedURL {
    let path: String
    let query: String
    let fragment: String
    private let items: [(name: String, foldedName: [UInt8], value: String)]

    init(_ url: LinkURL, decodesEscapes: Bool) {
        let comparisonMode = NormalizedURL.ComparisonMode(ignoresCase: false, decodesEscapes: decodesEscapes)
        let form = NormalizedURL(url, for: [comparisonMode]).forms[0]
        let string = { (range: Range<Int>) in String(decoding: form.bytes[range], as: UTF8.self) }
        path = decodesEscapes ? string(form.path) : url.path
        query = string(form.query)
        fragment = string(form.fragment)
        items = form.items.map { item in
            (string(item.name), CaseFolding.folded(form.bytes[item.name]), string(item.value))
        }
    }

    /// Returns the values of the query items with a name, as a rule finds them.
    func values(of name: String, foldingCase: Bool) -> [String] {
        let foldedName = CaseFolding.folded(name.utf8)
        return
            items
            .filter { foldingCase ? $0.foldedName == foldedName : $0.name.utf8.elementsEqual(name.utf8) }
            .map(\.value)
    }
}
