import DeviceModel
import Testing
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
        #expect(device.neededDomains.map(\.domain) == example.domains)
        #expect(device.domainsToCheck(at: .zero) == device.neededDomains)
        #expect(device.neededDomains.allSatisfy { !$0.isDevelopment })
        #expect(device.nextDomainCheck == (example.domains.isEmpty ? nil : .zero))
    }

    @Test func domainThatTwoAppsNeedIsAskedOnce() throws {
        let apps = ["a", "b"].map { AppDescription.example($0, domains: ["applinks:clowntown.example"]) }
        #expect(try DeviceModel(apps: apps).neededDomains.map(\.domain) == ["clowntown.example"])
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
        #expect(device.nextDomainCheck == due)
        for moment in [start, start + 1, due + -1] { #expect(device.domainsToCheck(at: moment).isEmpty) }
        for moment in [due, due + 1, due + 1_000_000] { #expect(device.domainsToCheck(at: moment).count == 1) }
    }

    @Test func failureShortensTheWaitAfterAFetchedFile() throws {
        var device = try DeviceModel(domains: ["applinks:clowntown.example"])
        _ = device.fetch(ClownTown.file())
        _ = device.fail(at: .hour)
        #expect(device.nextDomainCheck == .hour + Timestamp.hour.rawValue)
        _ = device.fetch(ClownTown.file(), at: .hour)
        #expect(device.nextDomainCheck == .hour + Timestamp.week.rawValue)
    }

    @Test func eachDomainHasItsOwnTime() throws {
        var device = try DeviceModel(domains: ["applinks:a.example", "applinks:b.example"])
        _ = device.fetch(ClownTown.file(), of: "a.example")
        #expect(device.nextDomainCheck == .zero)
        #expect(device.domainsToCheck(at: .zero).map(\.domain) == ["b.example"])
        _ = device.fail(of: "b.example")
        #expect(device.nextDomainCheck == .hour)
        #expect(device.domainsToCheck(at: .hour).map(\.domain) == ["b.example"])
        #expect(device.domainsToCheck(at: .week).map(\.domain) == ["a.example", "b.example"])
        #expect(device.neededDomains.map(\.domain) == ["a.example", "b.example"])
    }
}
