import DeviceModel
import Testing
import UniversalLinks
import WaypostSchema

/// The times at which a device asks domains for their files.
@Suite struct DomainCheckTests {
    struct Case: CustomTestStringConvertible {
        var entries: [String]
        var domains: [String]
        var testDescription: String { entries.joined(separator: " ") }
    }

    @Test(arguments: [
        Case(entries: [], domains: []),
        Case(entries: ["applinks:b.example", "applinks:a.example"], domains: ["a.example", "b.example"]),
        Case(entries: ["applinks:a.example", "applinks:*.a.example"], domains: ["a.example"]),
        Case(entries: ["applinks:*.a.example", "applinks:www.a.example"], domains: ["a.example", "www.a.example"]),
        Case(entries: ["applinks:A.Example", "applinks:a.example"], domains: ["a.example"]),
        Case(entries: ["applinks:božena.example"], domains: ["xn--boena-vib.example"]),
        Case(entries: ["webcredentials:a.example", "appclips:b.example"], domains: []),
        Case(entries: ["applinks:https://a.example", "a.example", "applinks:"], domains: []),
        Case(entries: ["applinks:a.example?mode=developer", "applinks:b.example?mode=managed"], domains: []),
    ])
    func domainsOfLinksAreAskedOnce(_ example: Case) throws {
        let device = try DeviceModel(domains: example.entries)
        #expect(device.neededFiles.map(\.domain) == example.domains)
        #expect(device.filesToCheck(at: .zero) == device.neededFiles)
        #expect(device.neededFiles.allSatisfy { !$0.isDevelopment })
        #expect(device.nextFileCheck == (example.domains.isEmpty ? nil : .zero))
    }

    @Test func domainThatTwoAppsNeedIsAskedOnce() throws {
        let apps = ["a", "b"].map { AppDescription.example($0, domains: ["applinks:clowntown.example"]) }
        #expect(try DeviceModel(apps: apps).neededFiles.map(\.domain) == ["clowntown.example"])
    }

    struct Wait: CustomTestStringConvertible {
        var testDescription: String
        var event: Result<[UInt8], AssociationFailure>
        var wait: Timestamp
    }

    @Test(arguments: [
        Wait(testDescription: "fetched", event: .success(ClownTown.file()), wait: .week),
        Wait(testDescription: "failed", event: .failure(.example), wait: .hour),
        Wait(testDescription: "invalid", event: .success([]), wait: .hour),
    ])
    func domainIsAskedAgainAfterAWeekOrAfterAnHourIfItFailed(_ example: Wait) throws {
        var device = try DeviceModel(domains: ["applinks:clowntown.example"])
        let start = Timestamp(milliseconds: 1_790_000_000_000)
        let event = DeviceEvent.system(.associationChecked(domain: ClownTown.domain, source: "x", example.event))
        _ = device.apply(event, at: start)
        let due = start + example.wait.rawValue
        #expect(device.nextFileCheck == due)
        for moment in [start, start + 1, due + -1] { #expect(device.filesToCheck(at: moment).isEmpty) }
        for moment in [due, due + 1, due + 1_000_000] { #expect(device.filesToCheck(at: moment).count == 1) }
    }

    @Test func failureShortensTheWaitAfterAFetchedFile() throws {
        var device = try DeviceModel(domains: ["applinks:clowntown.example"])
        _ = device.fetch(ClownTown.file())
        _ = device.fail(at: .hour)
        #expect(device.nextFileCheck == .hour + Timestamp.hour.rawValue)
        _ = device.fetch(ClownTown.file(), at: .hour)
        #expect(device.nextFileCheck == .hour + Timestamp.week.rawValue)
    }

    @Test func eachDomainHasItsOwnTime() throws {
        var device = try DeviceModel(domains: ["applinks:a.example", "applinks:b.example"])
        _ = device.fetch(ClownTown.file(), of: "a.example")
        #expect(device.nextFileCheck == .zero)
        #expect(device.filesToCheck(at: .zero).map(\.domain) == ["b.example"])
        _ = device.fail(of: "b.example")
        #expect(device.nextFileCheck == .hour)
        #expect(device.filesToCheck(at: .hour).map(\.domain) == ["b.example"])
        #expect(device.filesToCheck(at: .week).map(\.domain) == ["a.example", "b.example"])
        #expect(device.neededFiles.map(\.domain) == ["a.example", "b.example"])
    }

    @Test func installingAnAppAsksItsDomainsAgain() throws {
        var device = try DeviceModel(domains: ["applinks:clowntown.example"])
        _ = device.fetch(ClownTown.file(), at: .hour)
        #expect(device.filesToCheck(at: .hour).isEmpty)
        let app = AppDescription.example("b", domains: ["applinks:clowntown.example"])
        _ = device.apply(.system(.appInstalled(app)), at: .hour)
        #expect(device.filesToCheck(at: .hour).map(\.domain) == ["clowntown.example"])
        #expect(device.nextFileCheck == .zero)
        // The file in use stays in use until then.
        #expect(device.linkDecisions(on: ClownTown.url).contains { $0.matched })
        _ = device.fail(at: .hour)
        #expect(device.filesToCheck(at: .hour).isEmpty)
    }

    @Test func describingAChangedAppAsksItsDomainsAgain() throws {
        var device = try DeviceModel(domains: ["applinks:clowntown.example"])
        _ = device.fetch(ClownTown.file(), at: .hour)
        var description = device.description
        _ = device.apply(.system(.deviceDescribed(description)), at: .hour)
        #expect(device.filesToCheck(at: .hour).isEmpty)
        description.apps[0].associatedDomains.append("applinks:a.example")
        _ = device.apply(.system(.deviceDescribed(description)), at: .hour)
        #expect(device.filesToCheck(at: .hour).map(\.domain) == ["a.example", "clowntown.example"])
    }

    @Test(arguments: ["BÜCHER.example", "bücher.example", "xn--bcher-kva.EXAMPLE"])
    func domainIsComparedAsPunycode(_ domain: String) throws {
        var device = try DeviceModel(domains: ["applinks:bücher.example"])
        _ = device.fetch(ClownTown.file(), of: domain)
        #expect(device.associationFiles.map(\.domain) == ["xn--bcher-kva.example"])
        #expect(device.linkDecisions(on: "https://bücher.example/clowns/crusty").map(\.reason) == [.matched])
    }

    @Test func fileOfAnEarlierEventCountsForAnAppInDevelopment() throws {
        var device = try DeviceModel(apps: [], development: [:])
        _ = device.fetch(ClownTown.file())
        #expect(device.associationFiles.count == 1)
        let app = AppDescription.example(domains: ["applinks:clowntown.example?mode=developer"])
        _ = device.apply(.system(.appInstalled(app)), at: .zero)
        #expect(device.linkDecisions(on: ClownTown.url).map(\.reason) == [.matched])
        #expect(device.associationFiles.count == 1)
    }
}
