import Fleets
import Foundation
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import LoadTesting

@Suite struct LoadProfileTests {
    /// Reads a profile that a temporary file has.
    private static func options(_ text: String) throws -> LoadOptions {
        let file = FileManager.default.temporaryDirectory.appending(path: "profile-\(UUID().uuidString).yaml")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try LoadProfile(file: file.path, try FileSchema.loadProfile()).options
    }

    /// The messages of a broken profile, without the path of the file.
    private static func problems(_ text: String) throws -> [String] {
        do {
            _ = try options(text)
            return []
        } catch let error as FileFindings {
            return error.findings.map { "\($0.place.line):\($0.place.column): \($0.message)" }
        }
    }

    @Test(
        arguments: [
            ("{\"aps\": {}\n,}", ":2:1: not JSON: no comma may stand before '}'"), ("[1]", ": is not a JSON object"),
            (nil, ": cannot be read: it does not exist"),
        ] as [(String?, String)]
    )
    func unusablePayloadFileIsReportedWithThePlace(_ text: String?, _ message: String) throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "payload.json")
        if let text { _ = try folder.write(text.utf8, to: "payload.json") }
        var options = LoadOptions()
        options.strings[.payloadFile] = [path]
        let error = try #require(throws: LoadOptions.Problem.self) { try LoadSettings(options) }
        #expect(error.isInFile && error.message.hasPrefix(path + message), "\(error.message)")
    }

    @Test func singleObjectiveIsShownAsAList() throws {
        let message = "1:6: 'slo' is 'lost=0'; it must be a list, such as [lost=0]"
        #expect(try Self.problems("slo: lost=0") == [message])
    }

    @Test func profileHasTheSettings() throws {
        let options = try Self.options(
            """
            name: everything
            rate: 100..500
            duration: 20s
            warm-up: 2s
            api: provider
            streams: 50
            authentication: token
            tls: true
            payload: 100:90%,4000:10%
            push-type: background
            expiration: none:50%,1h:50%
            collapse-ids: 7
            zipf: 1.1
            bad-tokens: 1%
            broadcast: 5%
            devices: 30
            behavior: { groups: [{ name: late, acknowledge: { after: 1s } }], storms: [{ at: 1s }] }
            storm: [5s:50%:1s]
            slo: [lost=0, delivered.p99<50ms]
            """
        )
        let settings = try LoadSettings(options)
        #expect((settings.name, settings.seconds, settings.warmUp, settings.drain) == ("everything", 20, 2, 10))
        #expect(settings.schedule == LoadSchedule([LoadSchedule.Segment(seconds: 20, startRate: 100, endRate: 500)]))
        #expect(settings.api == .provider(maximumStreamCount: 50))
        #expect((settings.authentication, settings.usesTLS) == (.token, true))
        #expect(settings.traffic.payloadSizes.value(at: 0.95) == 4_000)
        #expect(settings.traffic.pushTypes.onlyValue == .background)
        #expect(settings.traffic.expirations.value(at: 0.9) == .after(3_600))
        #expect((settings.traffic.collapseIdentifierCount, settings.traffic.zipfExponent) == (7, 1.1))
        #expect((settings.traffic.badTokenShare, settings.traffic.broadcastShare) == (0.01, 0.05))
        #expect(settings.fleet.devices == 30)
        #expect(settings.fleet.topics == ["com.example.clowntown.push-type.liveactivity"])
        #expect(settings.fleet.behavior.groups.map(\.name) == ["late"])
        #expect(settings.fleet.behavior.storms.map(\.at) == [1_000_000, 5_000_000])
        #expect(settings.objectives.count == 2)
        #expect(settings.itemsPerRequest == 1)
    }

    @Test func commandLineReplacesSettingsOfTheProfile() throws {
        let profile = try Self.options("{ rate: 100, devices: 5, closed: true, slo: [lost=0] }")
        var own = LoadOptions()
        own.strings = [.rate: ["200"], .slo: ["duplicated=0"]]
        let completed = own.completed(by: profile)
        #expect(completed.strings[.devices] == ["5"])
        #expect(completed.strings[.slo] == ["duplicated=0"])
        // A rate on the command line means a rate, also if the profile has a closed loop.
        #expect(completed.strings[.closed] == nil)
        let settings = try LoadSettings(completed)
        #expect(settings.schedule?.itemCount == 2_000)
    }

    @Test func nameIsThatOfTheFileUnlessItIsGiven() throws {
        #expect(try Self.options("{ rate: 5 }").strings[.name]?.first?.hasPrefix("profile-") == true)
    }

    @Test func nameInBase60IsAText() throws {
        let options = try Self.options("{ name: 59:59:59:59:59:59:59:59:59:59:59, rate: 5 }")
        #expect(options.strings[.name] == ["59:59:59:59:59:59:59:59:59:59:59"])
    }

    @Test func everyOptionIsAKeyOfTheSchema() throws {
        let keys = try FileSchema.loadProfile().root["properties"]?.members.keys.sorted()
        #expect(keys == LoadOption.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: [
        ("rate: fast", ["1:7: 'rate': 'fast' is no rate; use 2000, 100..2000, or 500:10s,1000:20s"]),
        ("rates: nowhere.txt", ["1:8: 'rates': "]),
        ("ratte: 5", ["1:1: unknown key 'ratte'; did you mean 'rate'?"]),
        ("devices: 0", ["1:10: 'devices' is '0'; it must be a whole number from 1 to 100000"]),
        ("api: apns", ["1:6: 'api' is 'apns'; use batches or provider"]),
        (
            "duration: soon",
            ["1:11: 'duration' is 'soon'; use a number and a unit: ms, s, m, h or d, such as 90s, 30m or 1h30m"]
        ),
        ("duration: 0s", ["1:11: 'duration': '0s'; use a time above 0, such as 10s"]),
        ("streams: 5", ["1:10: 'streams': is a setting of '--api provider' only"]),
        ("{ api: provider, batch: 5 }", ["1:25: 'batch': is a setting of '--api batches' only"]),
        ("slo: [loss=0]", ["1:6: 'slo': 'loss' is no figure of a result"]),
        ("payload: 5", ["1:10: 'payload': '5'; use a number of bytes from 20 to 65536, such as 200"]),
        ("push-type: voip", ["1:12: 'push-type': 'voip'; use alert or background"]),
        ("expiration: later", ["1:13: 'expiration': 'later'; use none, now, or a time such as 1h"]),
        (
            "storm: [5s:half]",
            ["1:8: 'storm': '5s:half'; use a time, a share and a spread, such as 30s, 30s:50% or 30s:50%:1s"]
        ),
        ("zipf: 11", ["1:7: 'zipf': '11.0'; use a number from 0 to 10"]),
        ("bad-tokens: 5", ["1:13: 'bad-tokens' is '5'; use a share from 0% to 100%, such as 2.5%"]),
        ("poisson: maybe", ["1:10: 'poisson' is 'maybe'; it must be true or false"]),
        (
            "behavior: { groups: [{ name: a, share: 40% }, { name: b, share: 40% }] }",
            ["1:21: the shares of the groups are 80% together; they must be 100%, and none can be 0%"]
        ),
        ("behavior: { group: [] }", ["1:13: unknown key 'group'; did you mean 'groups'?"]),
        ("behavior: nowhere.yaml", ["1:1: cannot be read: it does not exist"]),
        ("[]", ["1:1: the file is a list; a profile of a load test is an object with 'rate' and 'devices'"]),
    ])
    func brokenProfileNamesThePlace(_ text: String, _ expected: [String]) throws {
        let problems = try Self.problems(text)
        #expect(problems.count == expected.count)
        for (problem, start) in zip(problems, expected) { #expect(problem.hasPrefix(start), "\(problem)") }
    }

    @Test func examplesAreProfiles() throws {
        let folder = Repository.root.appending(path: "docs/examples/load")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
        #expect(
            files.sorted() == ["breaking-news.yaml", "morning-peak.yaml", "outage.yaml", "soak.yaml", "steady.yaml"]
        )
        for file in files {
            let profile = try LoadProfile(file: folder.appending(path: file).path, try FileSchema.loadProfile())
            let settings = try LoadSettings(profile.options)
            #expect(!settings.objectives.isEmpty)
        }
    }
}
