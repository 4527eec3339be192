public import UniversalLinks
public import WaypostSchema

/// The canonical form of a URL: its content key, and the changes that lead to it.
///
/// Two URLs with the same key have the same content. An association can still distinguish them, because its rules see
/// parts that the key leaves out. So each share of an item is matched against the rules with the URL that was sent.
public struct CanonicalLink: Sendable, Equatable {
    /// The key: a URL with `https://`, the host, the path and what remains of the query and the fragment.
    public let key: ContentKey

    /// The host in lower case, as Punycode if it has non-ASCII letters.
    public let host: String

    private let url: LinkURL

    /// Computes the canonical form of a URL.
    ///
    /// - Complexity: O(n log n) in the length of the query, O(n) in the length of the rest.
    public init(_ url: LinkURL) {
        var writer = KeyWriter(of: url, rewrites: nil)
        writer.write()
        key = ContentKey(rawValue: String(decoding: writer.key, as: UTF8.self))
        host = url.host
        self.url = url
    }

    /// The changes that lead to the key, in the order of the URL's parts.
    ///
    /// - Complexity: The same as that of the initializer, as the key is computed again.
    public var rewrites: [Rewrite] {
        var writer = KeyWriter(of: url, rewrites: [])
        writer.write()
        return writer.rewrites ?? []
    }
}
