/// Top-level domains, as far as they tell where text starts that follows a host without a space.
enum TopLevelDomain {
    /// Whether it is a top-level domain that is known: that of a country, or one of those seen most.
    static func isKnown(_ label: ArraySlice<UInt8>) -> Bool {
        let letters = label.map { $0 | 0x20 }
        guard letters.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else { return false }
        return letters.count == 2 || generic.contains(String(decoding: letters, as: UTF8.self))
    }

    /// Our own short list: a domain that is not in it is still found at the end of a host.
    private static let generic: Set = [
        "com", "net", "org", "info", "biz", "edu", "gov", "mil", "int", "name", "app", "dev", "page", "link", "shop",
        "store", "site", "online", "blog", "news", "live", "wiki", "cloud", "tech", "club", "asia", "tokyo", "xyz",
        "top",
    ]
}
