import Testing
import UniversalLinks
import WaypostSchema

/// The error message of each kind of invalid associated-domains entry.
@Suite struct AssociatedDomainErrorTests {
    private static let noService = "it has no service"
    private static let scheme = "it has a scheme"
    private static let path = "it has a path or a slash"
    private static let port = "it has a port"
    private static let wildcard = "a wildcard can only be '*.' before the domain"
    private static let blank = "it has a blank"
    private static let query = "only ?mode= may follow the domain"
    private static let services = "the services are applinks, webcredentials, activitycontinuation, appclips"
    private static let modes = "use developer, managed or developer+managed"

    @Test(arguments: [
        ("", noService), ("clowntown.example", noService), ("applinks", noService),
        (":clowntown.example", "'' is not a service; \(services)"),
        ("applink:clowntown.example", "'applink' is not a service; \(services)"),
        ("AppLinks:clowntown.example", "'AppLinks' is not a service; \(services)"),
        (" applinks:clowntown.example", "' applinks' is not a service; \(services)"),
        ("https://clowntown.example", "'https' is not a service; \(services)"),
        ("applinks://clowntown.example", scheme), ("applinks:https://clowntown.example", scheme),
        ("applinks:*.https://clowntown.example", scheme),
        ("applinks:clowntown.example/", path), ("applinks:clowntown.example/tents", path),
        ("applinks:/clowntown.example", path), ("applinks:*./", path),
        ("applinks:clowntown.example:443", port), ("applinks:*.clowntown.example:443", port),
        ("applinks:[::1]", "it has an IP address; an entry has a domain name"),
        ("applinks:*", wildcard), ("applinks:*clowntown.example", wildcard),
        ("applinks:www.*.clowntown.example", wildcard), ("applinks:clowntown.*", wildcard),
        ("applinks:*.*.clowntown.example", wildcard),
        ("applinks:", "'' is not a domain"), ("applinks:*.", "'' is not a domain"),
        ("applinks:clown town.example", blank), ("applinks:clowntown.example ", blank),
        ("applinks:clowntown..example", "'clowntown..example' is not a domain"),
        ("applinks:.clowntown.example", "'.clowntown.example' is not a domain"),
        ("applinks:clowntown.example.", "it ends with a period"),
        ("applinks:clown@clowntown.example", "it has a user name"),
        ("applinks:clowntown.example;", "it has ';'; an entry has one domain"),
        ("applinks:a.example,b.example", "it has ','; an entry has one domain"),
        ("applinks:\"clowntown.example\"", "it has quotation marks"),
        ("applinks:applinks:clowntown.example", "it has the service twice"),
        ("applinks:192.0.2.1", "'192.0.2.1' is an IP address; an entry has a domain name"),
        ("applinks:localhost", "'localhost' is this machine, from which a device gets no file"),
        ("applinks:clowntown.example#a", "'clowntown.example#a' is not a domain"),
        ("applinks:\u{AD}", "it has an invisible character"),
        ("applinks:clowntown.example\u{200B}", "it has an invisible character"),
        ("applinks:-a.example", "'-a.example' is not the name of a host"),
        ("applinks:a-.example", "'a-.example' is not the name of a host"),
        ("applinks:a.1", "'a.1' is not the name of a host"),
        ("applinks:clowntown.example?", query), ("applinks:clowntown.example?developer", query),
        ("applinks:clowntown.example?Mode=developer", query), ("applinks:clowntown.example?a=1&mode=developer", query),
        ("applinks:clowntown.example?mode=", "'' is not a mode; \(modes)"),
        ("applinks:clowntown.example?mode=debug", "'debug' is not a mode; \(modes)"),
        ("applinks:clowntown.example?mode=Developer", "'Developer' is not a mode; \(modes)"),
        ("applinks:clowntown.example?mode=developer+", "'' is not a mode; \(modes)"),
        ("applinks:clowntown.example?mode=developer,managed", "'developer,managed' is not a mode; \(modes)"),
        ("applinks:clowntown.example?mode=developer?mode=managed", "'developer?mode=managed' is not a mode; \(modes)"),
        ("appclips:*.clowntown.example", "an appclips entry cannot have a wildcard"),
    ])
    func invalidEntryNamesTheProblem(_ text: String, _ problem: String) {
        let error = #expect(throws: AssociatedDomainError.self) { try AssociatedDomain(text) }
        #expect(error?.entry == text)
        #expect(error?.problem == problem)
    }

    @Test func descriptionNamesTheEntryAndTheProblem() {
        let error = #expect(throws: AssociatedDomainError.self) { try AssociatedDomain("applinks:clowntown.example/") }
        #expect(
            error?.description
                == "the entry 'applinks:clowntown.example/' cannot be used: it has a path or a slash; write applinks:clowntown.example"
        )
        #expect(error?.suggestedEntry == "applinks:clowntown.example")
    }

    @Test(
        arguments: [
            " applinks:clowntown.example", "applinks:clowntown.example ", "'applinks:clowntown.example'",
            "applinks:clowntown.example;", "applinks:clowntown.example,", "AppLinks:clowntown.example",
            "applink:clowntown.example", "applinks=clowntown.example", "applinks:applinks:clowntown.example",
            "https://clowntown.example", "applinks://clowntown.example", "applinks:https://clowntown.example/tents",
            "applinks:clowntown.example.", "applinks:clowntown.example:443", "applinks:clown@clowntown.example",
            "clowntown.example", "applinks:clowntown.example?",
        ]
    )
    func correctedEntryIsUsable(_ text: String) throws {
        let association = LinkAssociation(app: Clowntown.app, entries: [text])
        let decision = association.decision(on: "https://clowntown.example/", records: AssociationRecords())
        #expect(decision.reason == .unusableEntry)
        #expect(decision.explanation.hasSuffix("write applinks:clowntown.example"), "\(decision.explanation)")
        let error = try #require(throws: AssociatedDomainError.self) { try AssociatedDomain(text) }
        #expect(error.suggestedEntry == "applinks:clowntown.example")
        #expect(try AssociatedDomain(#require(error.suggestedEntry)).domain == "clowntown.example")
    }

    @Test(
        arguments: [
            ("applinks:*clowntown.example", "applinks:*.clowntown.example"),
            ("applinks:clowntown.example?mode=Developer", "applinks:clowntown.example?mode=developer"),
            ("applinks:clowntown.example?developer", "applinks:clowntown.example?mode=developer"),
            ("applinks:clowntown.example?mode=development", "applinks:clowntown.example?mode=developer"),
            ("applinks:clowntown.example?mode=dev", "applinks:clowntown.example?mode=developer"),
            ("applinks:clowntown.example?mode=production", nil),
            ("applinks:clowntown.example?mode=managed,developer", "applinks:clowntown.example?mode=developer+managed"),
            ("webcredential:clowntown.example/", "webcredentials:clowntown.example"), ("applinks:", nil),
            ("applinks:clown town.example", nil), ("applinks:192.0.2.1", nil), ("applinks:localhost", nil),
        ] as [(String, String?)]
    )
    func correctionKeepsWhatTheAuthorMeant(_ text: String, _ corrected: String?) throws {
        let error = try #require(throws: AssociatedDomainError.self) { try AssociatedDomain(text) }
        #expect(error.suggestedEntry == corrected)
    }

    /// Entries that cannot be used, and the entry that each author meant, or `nil` if it is not clear.
    private static let corrections: [(String, String?)] = [
        ("clowntown.example", "applinks:clowntown.example"),
        ("*.clowntown.example", "applinks:*.clowntown.example"),
        (":clowntown.example", "applinks:clowntown.example"),
        ("applinks: clowntown.example", "applinks:clowntown.example"),
        ("applinks :clowntown.example", "applinks:clowntown.example"),
        ("applinks:clowntown.example\t", "applinks:clowntown.example"),
        ("applinks:\"clowntown.example\"", "applinks:clowntown.example"),
        ("“applinks:clowntown.example”", "applinks:clowntown.example"),
        ("applinks:clowntown.example ?mode=developer", "applinks:clowntown.example?mode=developer"),
        ("applinks:clowntown.example?mode=managed+", "applinks:clowntown.example?mode=managed"),
        ("APPLINKS:www.clowntown.example/", "applinks:www.clowntown.example"),
        ("webcredentials=clowntown.example", "webcredentials:clowntown.example"),
        ("activityContinuation:clowntown.example", "activitycontinuation:clowntown.example"),
        ("appclip:clowntown.example", "appclips:clowntown.example"),
        ("applinks:*.clowntown.example/*", "applinks:*.clowntown.example"),
        ("applinks:*.https://clowntown.example", "applinks:*.clowntown.example"),
        ("applinks:https://*.clowntown.example", "applinks:*.clowntown.example"),
        ("applinks:*clowntown.example", "applinks:*.clowntown.example"),
        ("applinks:https://clowntown.example/a,b;c?d=e", "applinks:clowntown.example"),
        ("applinks:https://clown@clowntown.example:443/", "applinks:clowntown.example"),
        ("applinks:https://a.example:secret@clowntown.example", "applinks:clowntown.example"),
        ("https://clowntown.example?mode=developer", "applinks:clowntown.example?mode=developer"),
        ("applinks:zürich.example/", "applinks:zürich.example"),
        ("applinks:clowntown.example#tents", "applinks:clowntown.example"),
        ("applinks:clowntown.example.,", "applinks:clowntown.example"),
        ("applinks:a.example,b.example", nil),
        ("applinks:a.example; applinks:b.example", nil),
        ("applinks:a.example applinks:b.example", nil),
        ("applinks:.clowntown.example", nil),
        ("applinks:www.*.clowntown.example", nil),
        ("appclips:*.clowntown.example", nil),
        ("applinks:*", nil),
        ("applinks:[::1]", nil), ("applinks:https:clowntown.example", nil), ("link:clowntown.example", nil),
        ("applinks", nil), ("", nil),
    ]

    @Test(arguments: corrections)
    func suggestedEntryIsUsableAndForTheHostThatTheAuthorMeant(_ text: String, _ expected: String?) throws {
        let error = try #require(throws: AssociatedDomainError.self) { try AssociatedDomain(text) }
        #expect(error.suggestedEntry == expected)
        guard let suggestedEntry = error.suggestedEntry else { return }
        let entry = try AssociatedDomain(suggestedEntry)
        let domain = try AssociatedDomain(#require(expected)).domain
        #expect(entry.domain == domain)
        #expect(entry.covers(entry.isWildcard ? "www.\(domain)" : domain))
    }

    @Test func descriptionSuggestsAReplacementIfOneIsKnown() {
        let error = #expect(throws: AssociatedDomainError.self) { try AssociatedDomain("clowntown.example") }
        #expect(error?.suggestedEntry == "applinks:clowntown.example")
        #expect(
            error?.description
                == "the entry 'clowntown.example' cannot be used: it has no service; write applinks:clowntown.example"
        )
    }

    @Test func descriptionTruncatesALongEntry() {
        let long = "applinks:" + String(repeating: "a", count: 10_000) + "/"
        let error = #expect(throws: AssociatedDomainError.self) { try AssociatedDomain(long) }
        #expect(error?.description.utf8.count ?? .max < 250)
        #expect(error?.description.contains("'\(long.prefix(120))…'") == true)
    }
}
