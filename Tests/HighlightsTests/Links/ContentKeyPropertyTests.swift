import Highlights
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// Invariants of the key of every URL.
@Suite struct ContentKeyPropertyTests {
    private static let seeds = Trials.seeds(3, from: 1)
    private static let rounds = 700
    private static let authorities = [
        "a.example", "A.example", "b@a.example:80", "a.example:443", "a.example:8080", "zürich.example", "youtube.com",
        "x.com:",
        "[::1]:80",
    ]
    private static let pieces = [
        "/", "/", ".", "..", "%2e", "%2E", "%41", "%c3%a9", "%2f", "é", "a", "b", "?", "#", "&", "&", "=", "utm_a",
        "si", "t",
        "%26", "%", ":~:", ":%7e:", "//", "/./", "/../", "%25", "%3F", " ", "~", "%",
    ]

    private static func url(using generator: inout SeededGenerator) -> String {
        let scheme = ["http", "https", "HTTP"].randomElement(using: &generator) ?? ""
        let authority = authorities.randomElement(using: &generator) ?? ""
        let start = ["/", "?", "#"].randomElement(using: &generator) ?? ""
        let rest = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }
        return scheme + "://" + authority + start + rest.joined()
    }

    @Test(arguments: seeds)
    func keyOfAKeyIsTheKeyWithoutRewrites(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let text = Self.url(using: &generator)
            let link = try CanonicalLink(LinkURL(text))
            let again = try CanonicalLink(LinkURL(link.key.rawValue))
            #expect(again.key == link.key, "\(text)")
            #expect(again.host == link.host, "\(text)")
            #expect(again.rewrites.isEmpty, "\(text)")
        }
    }

    @Test(arguments: seeds)
    func keyWithoutRewritesEqualsTheURL(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let text = Self.url(using: &generator)
            let link = try CanonicalLink(LinkURL(text))
            // A change of the scheme's case is not listed as a rewrite.
            let isTheSame = link.key.rawValue == text
            #expect(link.rewrites.isEmpty == isTheSame, "\(text)")
            #expect(Set(link.rewrites).count == link.rewrites.count, "\(text)")
        }
    }

    @Test(arguments: seeds)
    func urlsWithTheSameKeyHaveTheSameHost(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var hosts: [String: Set<String>] = [:]
        for _ in 0..<Self.rounds {
            let url = try LinkURL(Self.url(using: &generator))
            hosts[CanonicalLink(url).key.rawValue, default: []].insert(url.host)
        }
        #expect(hosts.values.allSatisfy { $0.count == 1 })
        #expect(hosts.count < Self.rounds)
    }

    @Test(arguments: seeds)
    func orderOfItemsWithDistinctNamesIsIgnored(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let items = (0..<Int.random(in: 1...30, using: &generator)).map {
                "\("bca".randomElement(using: &generator) ?? "d")\($0)=\($0)"
            }
            let shuffled = items.shuffled(using: &generator)
            let first = try CanonicalLink(LinkURL("https://a.example/?" + items.joined(separator: "&")))
            let second = try CanonicalLink(LinkURL("https://a.example/?" + shuffled.joined(separator: "&")))
            #expect(first.key == second.key)
        }
    }

    @Test(arguments: seeds)
    func orderOfItemsWithTheSameNameIsKept(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let values = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
                Int.random(in: 0...9, using: &generator)
            }
            let items = values.flatMap { ["z=\($0)", "a=\($0)"] }.joined(separator: "&")
            let sorted = values.map { "a=\($0)" } + values.map { "z=\($0)" }
            let link = try CanonicalLink(LinkURL("https://a.example/?" + items))
            #expect(link.key.rawValue == "https://a.example/?" + sorted.joined(separator: "&"))
        }
    }
}
