/// A URL as a rule is compared with it, but for the case of its letters: what a message shows.
struct ShownURL {
    let path: String
    let query: String
    let fragment: String
    private let items: [(name: String, value: String)]
    private let isFolded: Bool

    init(_ url: LinkURL, for comparison: LinkSubject.Comparison) {
        let shown = LinkSubject.Comparison(isFolded: false, isDecoded: comparison.isDecoded)
        let forms = LinkSubject(url, for: [shown]).forms
        let text = { (range: Range<Int>) in String(decoding: forms[0].bytes[range], as: UTF8.self) }
        // With its slashes, of which the form has none.
        path = comparison.isDecoded ? "/" + text(forms[0].path) : url.path
        query = text(forms[0].query)
        fragment = text(forms[0].fragment)
        items = forms[0].items.map { (name: text($0.name), value: text($0.value)) }
        isFolded = comparison.isFolded
    }

    /// The values of the query's items that a rule finds under a name.
    func values(of name: String) -> [String] {
        items.filter { isEqual($0.name, name) }.map(\.value)
    }

    private func isEqual(_ left: String, _ right: String) -> Bool {
        isFolded ? CaseFolding.folded(left.utf8) == CaseFolding.folded(right.utf8) : left.utf8.elementsEqual(right.utf8)
    }
}
