/// The parts of a URL for messages: as they are compared with rules, but in their original case.
struct ReportedURL {
    let path: String
    let query: String
    let fragment: String
    private let items: [(name: String, folded: [UInt8], value: String)]

    init(_ url: LinkURL, decodesEscapes: Bool) {
        let comparison = LinkSubject.Comparison(ignoresCase: false, decodesEscapes: decodesEscapes)
        let form = LinkSubject(url, for: [comparison]).forms[0]
        let text = { (range: Range<Int>) in String(decoding: form.bytes[range], as: UTF8.self) }
        path = decodesEscapes ? text(form.path) : url.path
        query = text(form.query)
        fragment = text(form.fragment)
        items = form.items.map { item in
            (text(item.name), CaseFolding.folded(form.bytes[item.name]), text(item.value))
        }
    }

    /// Returns the values of the query items with a name, as a rule finds them.
    func values(of name: String, foldingCase: Bool) -> [String] {
        let folded = CaseFolding.folded(name.utf8)
        return items.filter { foldingCase ? $0.folded == folded : $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }
}
