import AssociationFetching
import Testing
import WaypostSchema

@Suite struct AssociationLocationTests {
    @Test(
        arguments: [
            (.domain("clowntown.example"), "https://clowntown.example/.well-known/apple-app-site-association"),
            (.developmentServer("http://127.0.0.1:80"), "http://127.0.0.1:80/.well-known/apple-app-site-association"),
            (.developmentServer("https://b.example/c/"), "https://b.example/c/.well-known/apple-app-site-association"),
            (.cdn(base: "https://b.example", domain: "clowntown.example"), "https://b.example/a/v1/clowntown.example"),
            (.cdn(base: "http://[::1]:80/b/", domain: "clowntown.example"), "http://[::1]:80/b/a/v1/clowntown.example"),
            (.localFile(path: "files/association.json"), "files/association.json"),
        ] as [(AssociationLocation, String)]
    )
    func sourceOfALocationIsTheURLOrPathOfTheFile(_ location: AssociationLocation, _ source: String) {
        #expect(location.source == source)
    }

    @Test(arguments: [
        "https://clowntown.example", "https://clowntown.example:8443/", "https://192.0.2.1/base",
        "HTTPS://clowntown.example",
        "http://localhost", "http://LocalHost:8080", "http://127.0.0.1:8080", "http://127.9.9.9", "http://[::1]:8080/",
        "http://[0:0:0:0:0:0:0:1]", "http://127.0.0.1/a:1",
    ])
    func developmentServerIsSecureOrLocal(_ text: String) throws {
        #expect(try DevelopmentServerURL(text).string == text)
    }

    @Test(
        arguments: [
            ("", .notWebURL), ("clowntown.example", .notWebURL), ("localhost:8080", .notWebURL),
            ("ftp://localhost", .notWebURL),
            ("https://", .notWebURL), ("https:///path", .notWebURL), ("https://a b.example", .notWebURL),
            ("http://localhost\\@clowntown.example", .notWebURL), ("file:///etc/hosts", .notWebURL),
            ("http://localhost?a=b", .notBaseURL), ("https://clowntown.example#a", .notBaseURL),
            ("https://ava:honk@clowntown.example", .notBaseURL), ("http://localhost:0", .notBaseURL),
            ("http://localhost:65536", .notBaseURL), ("http://localhost:99999999999999999999", .notBaseURL),
            ("http://[::1]:99999999999999999999/a", .notBaseURL),
            ("http://example.com", .insecure), ("http://localhost.example.com", .insecure),
            ("http://10.0.0.1", .insecure),
            ("http://127.0.0.1.example.com", .insecure), ("http://127.1", .insecure), ("http://[::2]", .insecure),
            ("http://0.0.0.0", .insecure), ("http://2130706433", .insecure), ("http://[::ffff:127.0.0.1]", .insecure),
        ] as [(String, DevelopmentServerError.Problem)]
    )
    func otherURLIsNotADevelopmentServer(_ text: String, _ problem: DevelopmentServerError.Problem) async throws {
        let error = #expect(throws: DevelopmentServerError.self) { try DevelopmentServerURL(text) }
        #expect(error?.problem == problem)
        #expect(error?.description.hasPrefix("'\(text)' cannot be a development server: ") == true)
    }

    @Test(arguments: [
        ("http://example.com", AssociationFailure.Code.untrusted), ("example.com", .unreachable),
        ("http://localhost:65536", .unreachable),
    ])
    func invalidDevelopmentServerIsNotAsked(_ text: String, _ code: AssociationFailure.Code) async throws {
        let error = try #require(throws: DevelopmentServerError.self) { try DevelopmentServerURL(text) }
        let outcome = try await AssociationFetcher.outcome(of: .developmentServer(text))
        #expect(outcome.failure == AssociationFailure(code: code, message: error.description))
    }

    @Test func errorNamesTheAcceptedURLs() throws {
        let error = try #require(throws: DevelopmentServerError.self) { try DevelopmentServerURL("http://example.com") }
        let message =
            "'http://example.com' cannot be a development server: "
            + "http is only for this machine (127.0.0.1, ::1, localhost); use https for any other host"
        #expect(error.description == message)
    }
}
