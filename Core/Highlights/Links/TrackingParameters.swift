/// The names of query items that track where a link was seen and who sent it, not what it is about.
///
/// This is a short list of Waypost's own. It has a name only if that name has no other meaning on its hosts. Case is
/// ignored.
struct TrackingParameters {
    /// The names on every host, in addition to those that start with `utm_`.
    private static let everywhere: Set = ["fbclid", "gclid", "msclkid", "mc_eid", "igsh", "igshid"]

    /// The names on a host and its subdomains.
    private static let byHost: [(host: String, names: Set<String>)] = [
        ("youtube.com", ["si", "pp", "feature"]),
        ("youtu.be", ["si", "pp", "feature"]),
        ("spotify.com", ["si"]),
        ("twitter.com", ["s", "t"]),
        ("x.com", ["s", "t"]),
        ("tiktok.com", ["_r", "_t"]),
    ]

    /// The length of the longest name in both tables.
    private static let maximumLength = everywhere.union(byHost.flatMap(\.names)).map(\.utf8.count).max() ?? 0

    private let ofHost: Set<String>

    /// Creates the names for a host in lower case.
    init(host: String) {
        ofHost = Self.byHost.first { Self.isHost(host, orUnder: $0.host) }?.names ?? []
    }

    /// Returns whether a name is that of a tracking parameter.
    func contains(_ name: ArraySlice<UInt8>) -> Bool {
        let folded = name.prefix(Self.maximumLength + 1).map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
        if folded.starts(with: "utm_".utf8) { return true }
        let text = String(decoding: folded, as: UTF8.self)
        return Self.everywhere.contains(text) || ofHost.contains(text)
    }

    private static func isHost(_ host: String, orUnder parent: String) -> Bool {
        guard host.hasSuffix(parent) else { return false }
        return host.utf8.count == parent.utf8.count
            || host.utf8.dropLast(parent.utf8.count).last == UInt8(ascii: ".")
    }
}
