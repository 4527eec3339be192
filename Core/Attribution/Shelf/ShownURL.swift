/// A URL as a person reads it where there is no title: its host and its path.
struct ShownURL: Sendable, Hashable {
    /// The host and the path: no scheme, no user, no query, no fragment, no slash at the end.
    let text: String

    /// Creates the value from a URL as it was sent.
    init(_ url: String) {
        var rest = Substring(PlainText.plain(url))
        if let scheme = rest.firstIndex(of: ":"), rest[scheme...].hasPrefix("://") {
            rest = rest[scheme...].dropFirst(3)
        }
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        let host = rest.prefix { $0 != "/" }
        if let user = host.lastIndex(of: "@") { rest = rest[user...].dropFirst() }
        while rest.last == "/" { rest = rest.dropLast() }
        text = String(rest)
    }

    /// The first letter or digit of the host, upcased and without a leading `www.`; a point where there is none.
    var letter: String {
        let host = text.hasPrefix("www.") ? text.dropFirst(4) : text[...]
        guard let first = host.first(where: { $0.isLetter || $0.isNumber }) else { return "·" }
        return String(first.uppercased().prefix(1))
    }
}
