internal import TextBasics

extension LinkURL {
    /// A scheme of the web.
    public enum Scheme: String, Sendable, CaseIterable {
        case http
        case https

        /// The port that is used if the URL has none.
        public var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    /// Properties of a URL's text that its parts do not show.
    public struct Spelling: OptionSet, Sendable, Hashable {
        /// A user name, with or without a password, and `@` before the host.
        public static let userInformation = Spelling(rawValue: 1)

        /// Upper-case letters in the host.
        public static let uppercaseHost = Spelling(rawValue: 2)

        /// Non-ASCII letters in the host.
        public static let internationalHost = Spelling(rawValue: 4)

        /// A colon without a port after it.
        public static let emptyPort = Spelling(rawValue: 8)

        /// A question mark without a query after it.
        public static let emptyQuery = Spelling(rawValue: 16)

        /// A number sign without a fragment after it.
        public static let emptyFragment = Spelling(rawValue: 32)

        /// Unescaped characters after the host that a URL must escape.
        public static let unescapedCharacters = Spelling(rawValue: 64)

        /// The options as bits.
        public let rawValue: UInt8

        /// Creates the options that are set in `rawValue`.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }
    }
}

extension LinkURL.Spelling {
    /// Creates the options for an authority that is more than a lower-case host and a port.
    init(authority: ArraySlice<UInt8>) {
        self = []
        let user = authority.lastIndex(of: UInt8(ascii: "@"))
        let host = user.map { authority[($0 + 1)...] } ?? authority
        if user != nil { insert(.userInformation) }
        if host.last == UInt8(ascii: ":") { insert(.emptyPort) }
        if host.contains(where: { $0 > 0x7F }) { insert(.internationalHost) }
        if host.contains(where: { $0 != $0.lowercasedASCII }) { insert(.uppercaseHost) }
    }
}

extension LinkURL {
    /// The path as bytes.
    package var pathBytes: ArraySlice<UInt8> {
        bytes[..<pathEnd]
    }

    /// The query as bytes.
    package var queryBytes: ArraySlice<UInt8> {
        bytes[pathEnd..<queryEnd]
    }

    /// The fragment as bytes.
    package var fragmentBytes: ArraySlice<UInt8> {
        bytes[queryEnd...]
    }
}
