/// The names of the query's items that say where a link was seen and by whom it was sent, not what it is about.
///
/// Our own short list: a name is in it where it is about nothing else on the hosts it is for. Letters are compared without
/// regard to their case.
struct TrackingParameters {
    /// Names on every host, beside those that start with `utm_`.
    private static let everywhere: Set = ["fbclid", "gclid", "msclkid", "mc_eid", "igsh", "igshid"]

    /// Names on a host and the hosts under it.
    private static let byHost: [(host: String, names: Set<String>)] = [
        ("youtube.com", ["si", "pp", "feature"]),
        ("youtu.be", ["si", "pp", "feature"]),
        ("spotify.com", ["si"]),
        ("twitter.com", ["s", "t"]),
        ("x.com", ["s", "t"]),
        ("tiktok.com", ["_r", "_t"]),
    ]

    /// How long the longest name of both tables is.
    private static let longest = everywhere.union(byHost.flatMap(\.names)).map(\.utf8.count).max() ?? 0

    private let ofHost: Set<String>

    /// Creates the names for a host in lower case.
    init(host: String) {
        ofHost = Self.byHost.first { Self.isHost(host, orUnder: $0.host) }?.names ?? []
    }

    /// Whether it is the name of an item that tracks.
    func contains(_ name: ArraySlice<UInt8>) -> Bool {
        let folded = name.prefix(Self.longest + 1).map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
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
