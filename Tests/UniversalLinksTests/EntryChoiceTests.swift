import Testing
import UniversalLinks
import WaypostSchema

/// The entry of an app that applies to a host, and the files that the app needs.
@Suite struct EntryChoiceTests {
    struct Case: CustomTestStringConvertible {
        var host: String
        var entries: [String]
        var modes: Set<AssociatedDomain.Mode> = []
        var chosen: String?
        var testDescription: String { "\(host) in \(entries)" }
    }

    @Test(arguments: [
        Case(
            host: "emily.users.mywebsite.example",
            entries: ["applinks:*.mywebsite.example", "applinks:*.users.mywebsite.example"],
            chosen: "applinks:*.users.mywebsite.example"
        ),
        Case(
            host: "emily.users.mywebsite.example",
            entries: ["applinks:*.users.mywebsite.example", "applinks:*.mywebsite.example"],
            chosen: "applinks:*.users.mywebsite.example"
        ),
        Case(
            host: "www.mywebsite.example",
            entries: ["applinks:*.mywebsite.example", "applinks:*.users.mywebsite.example"],
            chosen: "applinks:*.mywebsite.example"
        ),
        Case(
            host: "a.b.example",
            entries: ["applinks:*.b.example", "applinks:a.b.example", "applinks:*.example"],
            chosen: "applinks:a.b.example"
        ),
        Case(
            host: "a.b.example",
            entries: ["applinks:a.b.example", "applinks:*.b.example"],
            chosen: "applinks:a.b.example"
        ),
        Case(host: "b.example", entries: ["applinks:*.b.example", "applinks:*.example"], chosen: "applinks:*.example"),
        Case(host: "b.example", entries: ["applinks:*.b.example"]),
        Case(host: "b.example", entries: ["webcredentials:b.example", "applinks:a.example"]),
        Case(
            host: "b.example",
            entries: ["webcredentials:b.example", "applinks:*.example"],
            chosen: "applinks:*.example"
        ),
        Case(host: "b.example", entries: ["applinks:b.example/", "applinks:b.example"], chosen: "applinks:b.example"),
        Case(host: "b.example", entries: ["applinks:b.example?mode=developer"]),
        Case(
            host: "b.example",
            entries: ["applinks:b.example?mode=developer"],
            modes: [.developer],
            chosen: "applinks:b.example?mode=developer"
        ),
        Case(host: "b.example", entries: ["applinks:b.example?mode=developer"], modes: [.managed]),
        Case(
            host: "b.example",
            entries: ["applinks:b.example?mode=developer+managed"],
            modes: [.managed],
            chosen: "applinks:b.example?mode=developer+managed"
        ),
        Case(
            host: "b.example",
            entries: ["applinks:b.example?mode=developer", "applinks:*.example"],
            chosen: "applinks:*.example"
        ),
        Case(host: "b.example", entries: ["applinks:b.example"], modes: [.developer], chosen: "applinks:b.example"),
        Case(host: "b.example", entries: []),
    ])
    func mostSpecificActiveEntryDecides(_ example: Case) {
        let association = LinkAssociation(app: Clowntown.app, entries: example.entries, activeModes: example.modes)
        #expect(association.entry(for: example.host)?.string == example.chosen)
    }

    @Test func appNeedsTheFilesOfDomainsWithActiveLinkEntries() {
        let association = LinkAssociation(
            app: Clowntown.app,
            entries: [
                "applinks:a.example", "applinks:*.b.example?mode=managed", "webcredentials:c.example",
                "applinks:*.a.example",
                "applinks:d.example?mode=developer", "applinks:e.example/", "applinks:B.example?mode=developer+managed",
            ],
            activeModes: [.managed]
        )
        #expect(
            association.requiredFiles == [
                AssociationRequest(domain: "a.example", isDevelopment: false),
                AssociationRequest(domain: "b.example", isDevelopment: false),
            ]
        )
    }

    @Test func unusableEntriesAreKeptWithTheirErrors() {
        let association = LinkAssociation(
            app: Clowntown.app,
            entries: ["applinks:a.example", "b.example", "applinks:c.example:80"]
        )
        #expect(association.domains.map(\.string) == ["applinks:a.example"])
        #expect(association.errors.map(\.entry) == ["b.example", "applinks:c.example:80"])
    }
}
