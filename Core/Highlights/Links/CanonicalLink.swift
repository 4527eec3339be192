public import UniversalLinks
public import WaypostSchema

/// What a URL is about: its key, and what was left out or rewritten to come to it.
///
/// Two URLs with one key are the same content. An association may still tell them apart, since its rules see what a key
/// leaves out: each share of an item is held against them with the URL that was sent.
public struct CanonicalLink: Sendable, Equatable {
    /// The key: a URL with `https://`, the host, the path and what is left of query and fragment.
    public let key: ContentKey

    /// The host in lower case; Punycode beyond ASCII.
    public let host: String

    private let url: LinkURL

    /// Finds out what a URL is about.
    ///
    /// - Complexity: O(n log n) in the length of the query, O(n) in that of the rest.
    public init(_ url: LinkURL) {
        var writer = KeyWriter(of: url, rewrites: nil)
        writer.write()
        key = ContentKey(rawValue: String(decoding: writer.key, as: UTF8.self))
        host = url.host
        self.url = url
    }

    /// What was left out or rewritten, in the order of the URL's parts.
    ///
    /// - Complexity: That of making the key again, which is what is done.
    public var rewrites: [Rewrite] {
        var writer = KeyWriter(of: url, rewrites: [])
        writer.write()
        return writer.rewrites ?? []
    }
}
