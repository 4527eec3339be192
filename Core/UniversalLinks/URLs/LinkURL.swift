/// A web URL, split into the parts that associations use, each as it is written.
///
/// Escapes are not decoded, because `/a%2Fb` could then not be distinguished from `/a/b`. Characters that a URL cannot
/// contain, such as a space or a non-ASCII letter, are escaped, as the platform's `URL` does. If there are such
/// characters, the platform's `URL` also escapes the percent signs of existing escapes; this type does not.
public struct LinkURL: Sendable, Equatable {
    /// The maximum length of a URL, in bytes.
    public static let maximumLength = 16_384

    /// The scheme.
    public let scheme: Scheme

    /// The host in lower case, with non-ASCII letters as Punycode.
    public let host: String

    /// The port, if the URL has one; associations ignore it.
    public let port: Int?

    /// Properties of the text that the parts do not show.
    public let spelling: Spelling

    /// The path, the query and the fragment, one after another.
    let bytes: [UInt8]
    let pathEnd: Int
    let queryEnd: Int

    /// The path; empty if there is none.
    public var path: String {
        String(decoding: bytes[..<pathEnd], as: UTF8.self)
    }

    /// The query without its question mark; empty if there is none.
    public var query: String {
        String(decoding: bytes[pathEnd..<queryEnd], as: UTF8.self)
    }

    /// The fragment without its number sign; empty if there is none.
    public var fragment: String {
        String(decoding: bytes[queryEnd...], as: UTF8.self)
    }
}

/// The reason that a text is not a URL that a link can have.
public enum LinkURLError: Error, Sendable, Equatable {
    /// It is not a URL; the reason is a human-readable clause.
    case notAURL(String)

    /// Its scheme is neither http nor https.
    case notWeb(scheme: String)

    /// It exceeds `LinkURL.maximumLength` bytes, and has no scheme or that of a website.
    case tooLong(bytes: Int)
}
