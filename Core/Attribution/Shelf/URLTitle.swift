/// A URL as it is shown if there is no title: its host and its path.
struct URLTitle: Sendable, Hashable {
    /// The host and the path, without scheme, user information, query, fragment and trailing slashes.
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

    /// The first letter or digit of the host in upper case, without a leading `www.`; a dot if there is none.
    var letter: String {
        let host = text.hasPrefix("www.") ? text.dropFirst(4) : text[...]
        guard let first = host.first(where: { $0.isLetter || $0.isNumber }) else { return "·" }
        return String(first.uppercased().prefix(1))
    }
}
