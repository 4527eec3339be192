/// A URL of the web, cut into the parts that associations are about, each of them as it is written.
///
/// Escapes stay as they are: what decodes them first can no longer tell `/a%2Fb` from `/a/b`. What may not stand in a URL
/// as it is, a space or a letter beyond ASCII, is escaped, as the platform's `URL` does; where there is such a thing that
/// one also escapes the escapes beside it, which is not done here.
public struct LinkURL: Sendable, Equatable {
    /// The longest URL that is read, in bytes.
    public static let maximumLength = 16_384

    /// The scheme.
    public let scheme: Scheme

    /// The host in lower case; Punycode beyond ASCII.
    public let host: String

    /// The port, where one is written; associations take no notice of it.
    public let port: Int?

    /// What the text has that the parts do not show.
    public let spelling: Spelling

    /// The path, the query and the fragment, one behind the other.
    let bytes: [UInt8]
    let pathEnd: Int
    let queryEnd: Int

    /// The path; empty where none is written.
    public var path: String {
        String(decoding: bytes[..<pathEnd], as: UTF8.self)
    }

    /// The query without its question mark; empty where there is none.
    public var query: String {
        String(decoding: bytes[pathEnd..<queryEnd], as: UTF8.self)
    }

    /// The fragment without its number sign; empty where there is none.
    public var fragment: String {
        String(decoding: bytes[queryEnd...], as: UTF8.self)
    }
}

/// Why a text is no URL that a link can have.
public enum LinkURLError: Error, Sendable, Equatable {
    /// It is not a URL; the reason is a clause for a person.
    case notAURL(String)

    /// Its scheme is neither http nor https.
    case notWeb(scheme: String)

    /// It has more than `LinkURL.maximumLength` bytes.
    case tooLong(bytes: Int)
}
