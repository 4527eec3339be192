import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

@testable import AdminCommands

@Suite struct LinkQueryTests {
    private static let file = #"""
        {"applinks": {"details": [
          {"appIDs": ["ABCDE12345.com.example.b", "ABCDE12345.com.example.a"], "components": [{"/": "/clowns/*"}]}
        ]}}
        """#

    private func query(app: String? = nil, domain: String? = nil) throws -> LinkQuery {
        let matcher = AssociationMatcher(try AssociationFile(Array(Self.file.utf8)))
        return try LinkQuery(matcher: matcher, app: app, domain: domain)
    }

    @Test func everyAppHasAnAnswerInTheOrderOfTheFile() throws {
        let decisions = try query().decisions(on: "https://x.example/clowns/crusty", tracing: false)
        #expect(decisions.map(\.app) == ["ABCDE12345.com.example.b", "ABCDE12345.com.example.a"])
        #expect(decisions.allSatisfy { $0.matched && $0.trace == nil && $0.file == nil && $0.entry == nil })
    }

    @Test(
        arguments: [
            ("ABCDE12345.com.example.a", .matched), ("com.example.a", .appNotInFile), ("", .appNotInFile),
        ] as [(String, LinkDecision.Reason)]
    )
    func onlyTheRequestedAppHasAnAnswer(_ app: String, _ reason: LinkDecision.Reason) throws {
        let decisions = try query(app: app).decisions(on: "https://x.example/clowns/crusty", tracing: false)
        #expect(decisions.map(\.app?.rawValue) == [app])
        #expect(decisions.map(\.reason) == [reason])
    }

    @Test(
        arguments: [
            ("x.example", "https://x.example/clowns/a", .matched),
            ("X.Example", "https://x.example/clowns/a", .matched),
            ("x.example", "https://X.EXAMPLE:8443/clowns/a", .matched),
            ("božena.example", "https://xn--boena-vib.example/clowns/a", .matched),
            ("x.example", "https://y.example/clowns/a", .otherDomain),
            ("x.example", "https://www.x.example/clowns/a", .otherDomain),
            ("x.example", "https://y.x.example", .otherDomain),
            ("x.example", "x.example/clowns/a", .notAURL),
        ] as [(String, String, LinkDecision.Reason)]
    )
    func urlOfAnotherDomainDoesNotMatch(_ domain: String, _ url: String, _ reason: LinkDecision.Reason) throws {
        let decisions = try query(app: "ABCDE12345.com.example.a", domain: domain).decisions(on: url, tracing: false)
        #expect(decisions.map(\.reason) == [reason])
        #expect(decisions.map(\.url) == [url])
    }

    @Test(arguments: ["", "https://x.example", "x.example/", "x.example:443", "x y", "a/b", "<"])
    func invalidDomainIsRefused(_ domain: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try query(domain: domain) }
        #expect(failure.status == .unusableInput)
        #expect(failure.message?.contains("--domain '\(domain)'") == true)
    }

    @Test(arguments: ["{", "[]", "", "not JSON"])
    func invalidFileIsReported(_ text: String) throws {
        let folder = try ScratchFolder()
        let broken = try folder.write(text.utf8, to: "broken")
        let failure = try #require(throws: CommandFailure.self) { try AssociationInput.matcher(broken) }
        #expect(failure.status == .unusableInput)
        #expect(failure.message?.hasPrefix("\(broken): ") == true)
    }

    @Test func missingFileIsReported() {
        let expected = CommandFailure.unusable("/nowhere: cannot be read: it does not exist")
        #expect(throws: expected) { try AssociationInput.matcher("/nowhere") }
    }
}
