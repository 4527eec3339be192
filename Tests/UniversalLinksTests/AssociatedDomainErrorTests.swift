import Testing
import UniversalLinks

/// The error message of each kind of invalid associated-domains entry.
@Suite struct AssociatedDomainErrorTests {
    private static let noService = "it has no service"
    private static let scheme = "it has a scheme; a domain has none"
    private static let path = "it has a path; a domain has none, nor a slash"
    private static let port = "it has a port; a domain has none"
    private static let wildcard = "a wildcard can only be '*.' in front of the domain"
    private static let query = "only ?mode= may follow the domain"
    private static let services = "there are applinks, webcredentials, activitycontinuation, appclips"
    private static let modes = "there are developer, managed and developer+managed"

    @Test(arguments: [
        ("", noService), ("clowntown.example", noService), ("applinks", noService),
        (":clowntown.example", "'' is no service; \(services)"),
        ("applink:clowntown.example", "'applink' is no service; \(services)"),
        ("AppLinks:clowntown.example", "'AppLinks' is no service; \(services)"),
        (" applinks:clowntown.example", "' applinks' is no service; \(services)"),
        ("https://clowntown.example", "'https' is no service; \(services)"),
        ("applinks://clowntown.example", scheme), ("applinks:https://clowntown.example", scheme),
        ("applinks:*.https://clowntown.example", scheme),
        ("applinks:clowntown.example/", path), ("applinks:clowntown.example/tents", path),
        ("applinks:/clowntown.example", path), ("applinks:*./", path),
        ("applinks:clowntown.example:443", port), ("applinks:*.clowntown.example:443", port),
        ("applinks:[::1]", port),
        ("applinks:*", wildcard), ("applinks:*clowntown.example", wildcard),
        ("applinks:www.*.clowntown.example", wildcard), ("applinks:clowntown.*", wildcard),
        ("applinks:*.*.clowntown.example", wildcard),
        ("applinks:", "'' is no domain"), ("applinks:*.", "'' is no domain"),
        ("applinks:clown town.example", "'clown town.example' is no domain"),
        ("applinks:clowntown.example ", "'clowntown.example ' is no domain"),
        ("applinks:clowntown..example", "'clowntown..example' is no domain"),
        ("applinks:.clowntown.example", "'.clowntown.example' is no domain"),
        ("applinks:clowntown.example.", "'clowntown.example.' is no domain"),
        ("applinks:clown@clowntown.example", "'clown@clowntown.example' is no domain"),
        ("applinks:clowntown.example#a", "'clowntown.example#a' is no domain"),
        ("applinks:\u{AD}", #"'\u{00AD}' is no domain"#),
        ("applinks:clowntown.example?", query), ("applinks:clowntown.example?developer", query),
        ("applinks:clowntown.example?Mode=developer", query), ("applinks:clowntown.example?a=1&mode=developer", query),
        ("applinks:clowntown.example?mode=", "'' is no mode; \(modes)"),
        ("applinks:clowntown.example?mode=debug", "'debug' is no mode; \(modes)"),
        ("applinks:clowntown.example?mode=Developer", "'Developer' is no mode; \(modes)"),
        ("applinks:clowntown.example?mode=developer+", "'' is no mode; \(modes)"),
        ("applinks:clowntown.example?mode=developer,managed", "'developer,managed' is no mode; \(modes)"),
        ("applinks:clowntown.example?mode=developer?mode=managed", "'developer?mode=managed' is no mode; \(modes)"),
        ("appclips:*.clowntown.example", "app clips take no wildcard"),
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
                == "the entry 'applinks:clowntown.example/' cannot be used: it has a path; a domain has none, nor a slash"
        )
        #expect(error?.instead == nil)
    }

    @Test func descriptionSuggestsAReplacementIfOneIsKnown() {
        let error = #expect(throws: AssociatedDomainError.self) { try AssociatedDomain("clowntown.example") }
        #expect(error?.instead == "applinks:clowntown.example")
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
