import Testing
import UniversalLinks

/// Parsing of an entry of an app's associated domains, and its comparison with hosts.
@Suite struct AssociatedDomainTests {
    struct Case: CustomTestStringConvertible {
        var text: String
        var service = "applinks"
        var domain = "clowntown.example"
        var isWildcard = false
        var modes: Set<AssociatedDomain.Mode> = []
        var testDescription: String { text }
    }

    @Test(arguments: [
        Case(text: "applinks:clowntown.example"),
        Case(text: "applinks:CLOWNTOWN.Example"),
        Case(text: "applinks:*.clowntown.example", isWildcard: true),
        Case(text: "applinks:www.clowntown.example", domain: "www.clowntown.example"),
        Case(text: "applinks:clown_town-1.example", domain: "clown_town-1.example"),
        Case(text: "webcredentials:clowntown.example", service: "webcredentials"),
        Case(text: "webcredentials:*.clowntown.example", service: "webcredentials", isWildcard: true),
        Case(text: "activitycontinuation:clowntown.example", service: "activitycontinuation"),
        Case(text: "appclips:clowntown.example", service: "appclips"),
        Case(text: "applinks:clowntown.example?mode=developer", modes: [.developer]),
        Case(text: "applinks:clowntown.example?mode=managed", modes: [.managed]),
        Case(text: "applinks:clowntown.example?mode=developer+managed", modes: [.developer, .managed]),
        Case(text: "applinks:*.clowntown.example?mode=managed", isWildcard: true, modes: [.managed]),
        Case(text: "applinks:zürich.example", domain: "xn--zrich-kva.example"),
        Case(text: "applinks:*.ZÜRICH.example", domain: "xn--zrich-kva.example", isWildcard: true),
        Case(text: "applinks:xn--zrich-kva.example", domain: "xn--zrich-kva.example"),
    ])
    func entryIsParsed(_ example: Case) throws {
        let entry = try AssociatedDomain(example.text)
        #expect(entry.service == example.service)
        #expect(entry.domain == example.domain)
        #expect(entry.isWildcard == example.isWildcard)
        #expect(entry.modes == example.modes)
        #expect(entry.string == example.text)
    }

    @Test(arguments: [
        ("applinks:clowntown.example", "clowntown.example", true),
        ("applinks:clowntown.example", "www.clowntown.example", false),
        ("applinks:clowntown.example", "notclowntown.example", false),
        ("applinks:www.clowntown.example", "clowntown.example", false),
        ("applinks:*.clowntown.example", "clowntown.example", false),
        ("applinks:*.clowntown.example", "www.clowntown.example", true),
        ("applinks:*.clowntown.example", "a.b.clowntown.example", true),
        ("applinks:*.clowntown.example", "notclowntown.example", false),
        ("applinks:*.clowntown.example", "clowntown.example.evil.example", false),
        ("applinks:*.zürich.example", "www.xn--zrich-kva.example", true),
        ("applinks:zürich.example", "xn--zrich-kva.example", true),
    ])
    func entryCoversItsDomainOrItsSubdomains(_ text: String, _ host: String, _ covers: Bool) throws {
        #expect(try AssociatedDomain(text).covers(host) == covers)
    }
}
