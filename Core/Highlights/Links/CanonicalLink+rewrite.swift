extension CanonicalLink {
    /// One thing that makes no difference to what a URL is about.
    public enum Rewrite: Sendable, Hashable {
        /// The scheme http was written as https.
        case secureScheme

        /// A name, perhaps with a password, was in front of the host.
        case userInformation

        /// The host had upper case.
        case hostCase

        /// The host had letters beyond ASCII.
        case punycode

        /// The port, `nil` for a colon alone, is the one that is meant without it.
        case port(Int?)

        /// A character stood there that may not stand in a URL as it is.
        case escaped

        /// An escape stood for a character that needs none.
        case unescaped

        /// An escape had lower case.
        case escapeCase

        /// The path had segments `.` or `..`.
        case dotSegments

        /// No path was written.
        case emptyPath

        /// The path had slashes at its end.
        case trailingSlashes

        /// The query had a parameter that says where a link was seen, not what it is about.
        case trackingParameter(String)

        /// The query had items of no character.
        case emptyItems

        /// The items of the query were in another order.
        case itemOrder

        /// A question mark had no query behind it.
        case emptyQuery

        /// The fragment had a directive for the browser, such as a text to show.
        case fragmentDirective

        /// A number sign had no fragment behind it.
        case emptyFragment
    }
}

extension CanonicalLink.Rewrite: CustomStringConvertible {
    /// What was done, in a few words.
    public var description: String {
        switch self {
        case .secureScheme: "http written as https"
        case .userInformation: "user information dropped"
        case .hostCase: "host written in lower case"
        case .punycode: "host written as Punycode"
        case .port(let port): port.map { "default port \($0) dropped" } ?? "empty port dropped"
        case .escaped: "characters escaped that may not stand in a URL"
        case .unescaped: "escapes decoded that need none"
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
