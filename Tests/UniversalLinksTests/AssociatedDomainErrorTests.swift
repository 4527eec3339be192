import Testing
import UniversalLinks

/// The error message of each kind of invalid associated-domains entry.
@Suite struct AssociatedDomainErrorTests {
    private static let noService = "it has no service"
    private static let scheme = "it has a scheme; write only the domain"
    private static let path = "it has a path or a slash; write only the domain"
    private static let port = "it has a port; write only the domain"
    private static let wildcard = "a wildcard can only be '*.' before the domain"
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
        ("applinks:[::1]", port),
        ("applinks:*", wildcard), ("applinks:*clowntown.example", wildcard),
        ("applinks:www.*.clowntown.example", wildcard), ("applinks:clowntown.*", wildcard),
        ("applinks:*.*.clowntown.example", wildcard),
        ("applinks:", "'' is not a domain"), ("applinks:*.", "'' is not a domain"),
        ("applinks:clown town.example", "'clown town.example' is not a domain"),
        ("applinks:clowntown.example ", "'clowntown.example ' is not a domain"),
        ("applinks:clowntown..example", "'clowntown..example' is not a domain"),
        ("applinks:.clowntown.example", "'.clowntown.example' is not a domain"),
        ("applinks:clowntown.example.", "'clowntown.example.' is not a domain"),
        ("applinks:clown@clowntown.example", "'clown@clowntown.example' is not a domain"),
        ("applinks:clowntown.example#a", "'clowntown.example#a' is not a domain"),
        ("applinks:\u{AD}", #"'\u{00AD}' is not a domain"#),
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
                == "the entry 'applinks:clowntown.example/' cannot be used: it has a path or a slash; write only the domain"
        )
        #expect(error?.suggestedEntry == nil)
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
