/// The names of query items that do not affect the content: they only track where a link was seen and who sent it.
///
/// The list is short, and Waypost's own. A name is in it only if it has no other meaning on its hosts. Upper and lower
/// case are the same.
struct TrackingParameters {
    /// The names on every host, in addition to those that start with `utm_`.
    private static let generalNames: Set = ["fbclid", "gclid", "msclkid", "mc_eid", "igsh", "igshid"]

    /// The names on a host and its subdomains.
    private static let namesByHost: [(host: String, names: Set<String>)] = [
        ("youtube.com", ["si", "pp", "feature"]),
        ("youtu.be", ["si", "pp", "feature"]),
        ("spotify.com", ["si"]),
        ("twitter.com", ["s", "t"]),
        ("x.com", ["s", "t"]),
        ("tiktok.com", ["_r", "_t"]),
    ]

    /// The length of the longest name in both tables.
    private static let maximumLength = generalNames.union(namesByHost.flatMap(\.names)).map(\.utf8.count).max() ?? 0

    private let hostSpecificNames: Set<String>

    /// Creates the names for a host in lower case.
    init(host: String) {
        hostSpecificNames = Self.namesByHost.first { Self.isHost(host, sameAsOrSubdomainOf: $0.host) }?.names ?? []
    }

    /// Returns whether a name is that of a tracking parameter.
    func contains(_ name: ArraySlice<UInt8>) -> Bool {
        let foldedBytes = name.prefix(Self.maximumLength + 1).map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
        if foldedBytes.starts(with: "utm_".utf8) { return true }
        let foldedName = String(decoding: foldedBytes, as: UTF8.self)
        return Self.generalNames.contains(foldedName) || hostSpecificNames.contains(foldedName)
    }

    private static func isHost(_ host: String, sameAsOrSubdomainOf parent: String) -> Bool {
        guard host.hasSuffix(parent) else { return false }
        return host.utf8.count == parent.utf8.count
            || host.utf8.dropLast(parent.utf8.count).last == UInt8(ascii: ".")
    }
}
