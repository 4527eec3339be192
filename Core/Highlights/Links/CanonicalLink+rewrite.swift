extension CanonicalLink {
    /// A change to a URL that makes no difference to its content.
    public enum Rewrite: Sendable, Hashable {
        /// The scheme http was changed to https.
        case secureScheme

        /// User information (a name, perhaps with a password) before the host was dropped.
        case userInformation

        /// The host was changed to lower case.
        case hostCase

        /// The host had non-ASCII letters and was converted to Punycode.
        case punycode

        /// The default port was dropped, or a colon without a port (`nil`).
        case port(Int?)

        /// A character that is not allowed in a URL was escaped.
        case escaped

        /// An escape of a character that needs none was decoded.
        case unescaped

        /// An escape was changed to upper case.
        case escapeCase

        /// Segments `.` or `..` were removed from the path.
        case dotSegments

        /// An empty path was changed to `/`.
        case emptyPath

        /// Slashes at the end of the path were dropped.
        case trailingSlashes

        /// A query parameter that tracks where a link was seen, not what it is about, was dropped.
        case trackingParameter(String)

        /// Empty query items were dropped.
        case emptyItems

        /// The query items were sorted.
        case itemOrder

        /// A question mark without a query was dropped.
        case emptyQuery

        /// A directive for the browser, such as a text to show, was dropped from the fragment.
        case fragmentDirective

        /// A number sign without a fragment was dropped.
        case emptyFragment
    }
}

extension CanonicalLink.Rewrite: CustomStringConvertible {
    /// A short description of the change.
    public var description: String {
        switch self {
        case .secureScheme: "http written as https"
        case .userInformation: "user information dropped"
        case .hostCase: "host written in lower case"
        case .punycode: "host written as Punycode"
        case .port(let port): port.map { "default port \($0) dropped" } ?? "empty port dropped"
        case .escaped: "characters escaped that are not allowed in a URL"
        case .unescaped: "unnecessary escapes decoded"
        case .escapeCase: "escapes written in upper case"
        case .dotSegments: "dot segments removed"
        case .emptyPath: "empty path written as /"
        case .trailingSlashes: "trailing slashes dropped"
        case .trackingParameter(let name): "tracking parameter \(name) dropped"
        case .emptyItems: "empty query items dropped"
        case .itemOrder: "query sorted by name"
        case .emptyQuery: "empty query dropped"
        case .fragmentDirective: "fragment directive dropped"
        case .emptyFragment: "empty fragment dropped"
        }
    }
}
