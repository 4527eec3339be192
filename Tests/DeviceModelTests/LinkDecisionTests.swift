import DeviceModel
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The decisions of a device about a URL.
@Suite struct LinkDecisionTests {
    @Test(.proves("B34", "B63")) func eachAppGetsItsOwnDecision() throws {
        let apps = [
            AppDescription.example("com.example.notes", domains: ["applinks:clowntown.example"]),
            AppDescription.example("com.example.camera", domains: ["applinks:camera.example"]),
            AppDescription.example("com.example.clowntown", domains: ["applinks:clowntown.example"]),
            AppDescription(bundleIdentifier: "com.example.quiet", scenes: []),
        ]
        var device = try DeviceModel(apps: apps)
        _ = device.fetch(ClownTown.file())
        let decisions = device.linkDecisions(on: ClownTown.url)
        #expect(
            decisions.map(\.app) == [
                "ABCDE12345.com.example.camera", "ABCDE12345.com.example.clowntown", "ABCDE12345.com.example.notes",
            ]
        )
        #expect(decisions.map(\.reason) == [.noEntry, .matched, .appNotInFile])
        #expect(decisions.map(\.matched) == [false, true, false])
        #expect(decisions.map(\.entry) == [nil, "applinks:clowntown.example", "applinks:clowntown.example"])
    }

    struct Case: CustomTestStringConvertible {
        var entries: [String]
        var url = ClownTown.url
        var reason: LinkDecision.Reason
        var testDescription: String { "\(url) with \(entries.joined(separator: " "))" }
    }

    @Test(
        .proves("B35"),
        arguments: [
            Case(entries: ["applinks:clowntown.example"], reason: .matched),
            Case(
                entries: ["applinks:clowntown.example"],
                url: "http://clowntown.example/clowns/crusty",
                reason: .matched
            ),
            Case(entries: ["applinks:clowntown.example"], url: "https://CLOWNTOWN.example/clowns/x", reason: .matched),
            Case(entries: ["applinks:clowntown.example"], url: "https://clowntown.example/x", reason: .noRuleMatched),
            Case(entries: ["applinks:clowntown.example"], url: "https://www.clowntown.example/", reason: .noEntry),
            Case(
                entries: ["applinks:*.clowntown.example"],
                url: "https://a.clowntown.example/clowns/b",
                reason: .matched
            ),
            Case(entries: ["applinks:*.clowntown.example"], reason: .wildcardBase),
            Case(entries: ["webcredentials:clowntown.example"], reason: .otherService),
            Case(entries: ["applinks:https://clowntown.example"], reason: .unusableEntry),
            Case(entries: ["applinks:balloons.example"], reason: .noEntry),
            Case(entries: ["applinks:clowntown.example"], url: "clowns/crusty", reason: .notAURL),
            Case(entries: ["applinks:clowntown.example"], url: "", reason: .notAURL),
            Case(entries: ["applinks:clowntown.example"], url: "clowntown://clowns/crusty", reason: .notWeb),
        ]
    )
    func decisionNamesItsReason(_ example: Case) throws {
        var device = try DeviceModel(domains: example.entries)
        _ = device.fetch(ClownTown.file())
        let decision = try #require(device.linkDecisions(on: example.url).first)
        #expect(decision.reason == example.reason, "\(decision.explanation)")
        #expect(decision.url == example.url)
        #expect(decision.matched == (example.reason == .matched))
    }

    @Test func deviceWithoutAssociatedDomainsMakesNoDecisions() throws {
        let device = try DeviceModel(.example)
        #expect(device.linkDecisions(on: ClownTown.url).isEmpty)
        #expect(device.nextFileCheck == nil)
    }

    @Test func fileThatNoAppNeedsDecidesNothing() throws {
        var device = try DeviceModel(domains: ["applinks:balloons.example"])
        _ = device.fetch(ClownTown.file())
        #expect(device.reason() == .noEntry)
        #expect(device.filesToCheck(at: .zero).map(\.domain) == ["balloons.example"])
    }

    @Test func moreSpecificEntryDecides() throws {
        let entries = ["applinks:*.example", "applinks:*.clowntown.example", "applinks:www.clowntown.example"]
        let url = "https://www.clowntown.example/clowns/crusty"
        for entries in [entries, entries.reversed()] {
            let device = try DeviceModel(domains: entries)
            #expect(device.linkDecisions(on: url).map(\.entry) == ["applinks:www.clowntown.example"])
        }
    }
}
