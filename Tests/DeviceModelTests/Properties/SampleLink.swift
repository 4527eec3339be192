import WaypostSchema

/// A URL in the messages of the histories, and its meaning by the rules written by hand.
struct SampleLink: Hashable, Sendable {
    let url: String
    let key: ContentKey
    let host: String
    let path: String

    /// The item `id` of the query.
    var id: String?

    /// Whether `utm_source` is `ads`; keys omit it, but rules may match it.
    var isAd = false
}

extension SampleLink {
    /// Each content with its spellings.
    static let contents: [[Self]] = [
        variants("tv.example", "/shows/lasso"),
        variants("tv.example", "/shows/severance"),
        variants("tv.example", "/shows/private/diary"),
        variants("tv.example", "/films/heat", id: "7"),
        variants("tv.example", "/films/ran"),
        variants("news.example", "/world/1"),
        variants("news.example", "/local/2"),
        variants("kids.tv.example", "/shows/bluey"),
        variants("a.kids.tv.example", "/films/totoro", id: "9"),
    ]

    /// Short links, which can be resolved to other links.
    static let short: [[Self]] = [variants("short.example", "/s1"), variants("short.example", "/s2")]

    static let all = contents + short

    private static let byURL = Dictionary(uniqueKeysWithValues: all.joined().map { ($0.url, $0) })

    static func named(_ url: String) -> Self? {
        byURL[url]
    }

    private static func variants(_ host: String, _ path: String, id: String? = nil) -> [Self] {
        let item = id.map { "id=\($0)" }
        let key = ContentKey(rawValue: "https://\(host)\(path)" + (item.map { "?\($0)" } ?? ""))
        let ad = "?utm_source=ads" + (item.map { "&\($0)" } ?? "")
        let plain = Self(url: key.rawValue, key: key, host: host, path: path, id: id)
        let urls = [
            "http://\(host.uppercased()):443\(path)/\(ad)",
            "https://\(host)\(path)?\(item.map { $0 + "&" } ?? "")fbclid=Zz#:~:text=x",
        ]
        let others = zip(urls, [true, false]).map { url, isAd in
            Self(url: url, key: key, host: host, path: path, id: id, isAd: isAd)
        }
        return [plain] + others
    }
}
