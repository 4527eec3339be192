import DeviceModel
import Testing
import UniversalLinks
import WaypostSchema

/// Entries with a mode apply only if the device or the app has that mode.
@Suite struct EntryModeTests {
    struct Case: CustomTestStringConvertible {
        var mode: String
        var isDevelopment = false
        var isManaged = false
        var counts: Bool
        var testDescription: String {
            mode + (isDevelopment ? " on a development device" : "") + (isManaged ? " of a managed app" : "")
        }
    }

    @Test(arguments: [
        Case(mode: "developer", counts: false),
        Case(mode: "developer", isDevelopment: true, counts: true),
        Case(mode: "developer", isManaged: true, counts: false),
    ])
    func developerEntryAppliesOnlyOnADevelopmentDevice(_ example: Case) throws {
        try expectThatTheEntryCounts(example)
    }

    @Test(arguments: [
        Case(mode: "managed", counts: false),
        Case(mode: "managed", isDevelopment: true, counts: false),
        Case(mode: "managed", isManaged: true, counts: true),
    ])
    func managedEntryAppliesOnlyForAManagedApp(_ example: Case) throws {
        try expectThatTheEntryCounts(example)
    }

    @Test(arguments: [
        Case(mode: "developer+managed", counts: false),
        Case(mode: "developer+managed", isDevelopment: true, counts: true),
        Case(mode: "managed+developer", isManaged: true, counts: true),
        Case(mode: "developer+managed", isDevelopment: true, isManaged: true, counts: true),
    ])
    func entryWithBothModesAppliesInEither(_ example: Case) throws {
        try expectThatTheEntryCounts(example)
    }

    private func expectThatTheEntryCounts(_ example: Case) throws {
        let entry = "applinks:clowntown.example?mode=\(example.mode)"
        var device = try DeviceModel(
            domains: [entry],
            isManaged: example.isManaged,
            development: example.isDevelopment ? [:] : nil
        )
        #expect(device.neededFiles.map(\.domain) == (example.counts ? ["clowntown.example"] : []))
        _ = device.fetch(ClownTown.file())
        let decision = try #require(device.linkDecisions(on: ClownTown.url).first)
        #expect(decision.matched == example.counts)
        #expect(decision.reason == (example.counts ? .matched : .modeNotActive))
        #expect(decision.entry == entry)
    }

    @Test(
        arguments: [
            (["applinks:a.example"], false),
            (["applinks:a.example?mode=developer"], true),
            (["applinks:a.example?mode=developer+managed"], true),
            (["applinks:a.example?mode=managed"], false),
        ] as [([String], Bool)]
    )
    func domainOfADeveloperEntryMayHaveAReplacement(_ entries: [String], _ isDevelopment: Bool) throws {
        let device = try DeviceModel(domains: entries, isManaged: true, development: ["b.example": "b.json"])
        let expected = AssociationRequest(domain: "a.example", isDevelopment: isDevelopment)
        #expect(device.neededFiles == [expected])
    }

    @Test(arguments: ["a", "b", "c", "d"] as [BundleIdentifier])
    func developerEntryHasAFileOfItsOwn(_ developed: BundleIdentifier) throws {
        let apps = (["a", "b", "c", "d"] as [BundleIdentifier]).map { app in
            AppDescription.example(app, domains: ["applinks:a.example" + (app == developed ? "?mode=developer" : "")])
        }
        let device = try DeviceModel(apps: apps, development: [:])
        let requests = [false, true].map { AssociationRequest(domain: "a.example", isDevelopment: $0) }
        #expect(device.neededFiles == requests)
    }

    @Test(arguments: [nil, [:], ["clowntown.example": "files/clowntown.json"]] as [[String: String]?])
    func deviceKeepsTheReplacementsOfDomains(_ development: [String: String]?) throws {
        let device = try DeviceModel(domains: ["applinks:clowntown.example"], development: development)
        #expect(device.description.associatedDomainsDevelopment == development)
    }
}
