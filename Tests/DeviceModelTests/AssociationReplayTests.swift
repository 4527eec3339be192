import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// Random sequences of domains' answers.
@Suite struct AssociationReplayTests {
    private struct Step {
        var event: DeviceEvent
        var now: Timestamp
    }

    private static let seeds = Trials.seeds(4, from: 1)
    private static let domains = ["a.example", "b.example", "c.example"]
    private static let urls = domains.map { "https://\($0)/clowns/crusty" }

    private static func device() throws -> DeviceModel {
        let apps = [
            AppDescription.example("com.example.clowntown", domains: domains.map { "applinks:\($0)" }),
            AppDescription.example("com.example.notes", domains: ["applinks:b.example", "applinks:*.c.example"]),
        ]
        return try DeviceModel(apps: apps)
    }

    @Test(arguments: seeds)
    func replayOfTheSameEventsGivesTheSameDecisions(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let walk = Self.walk(using: &generator)
        var (first, second) = (try Self.device(), try Self.device())
        for step in walk {
            #expect(first.apply(step.event, at: step.now) == second.apply(step.event, at: step.now), "seed \(seed)")
            for url in Self.urls { #expect(first.linkDecisions(on: url) == second.linkDecisions(on: url)) }
            #expect(first.associationFiles == second.associationFiles)
            #expect(first.nextFileCheck == second.nextFileCheck)
        }
        #expect(first.filesToCheck(at: .week) == second.filesToCheck(at: .week))
    }

    /// After a domain's first valid file, a file always decides about its links.
    @Test(arguments: seeds)
    func domainKeepsItsLastValidFile(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var device = try Self.device()
        var known: Set<String> = []
        for step in Self.walk(using: &generator) {
            guard let status = device.apply(step.event, at: step.now).effects.updated else { continue }
            #expect(status.checkedAt == step.now)
            if status.failure == nil { known.insert(status.domain) }
            #expect((status.fetchedAt != nil) == known.contains(status.domain), "seed \(seed), \(step)")
            let reasons = device.linkDecisions(on: "https://\(status.domain)/").prefix(1).map(\.reason)
            let isDecided = [.matched, .noRuleMatched, .appNotInFile].contains(reasons.first)
            #expect(isDecided == known.contains(status.domain), "seed \(seed), \(step)")
        }
        #expect(known.count == Self.domains.count)
    }

    @Test(arguments: seeds)
    func eventsOnACopyLeaveTheDeviceUnchanged(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let device = try Self.device()
        var copy = device
        for step in Self.walk(using: &generator) { _ = copy.apply(step.event, at: step.now) }
        #expect(device.associationFiles.isEmpty)
        #expect(device.linkDecisions(on: Self.urls[0]).map(\.reason) == [.fileNotFetched, .noEntry])
    }

    private static func walk(using generator: inout SeededGenerator) -> [Step] {
        var milliseconds = 0
        return (0..<60).map { _ in
            milliseconds += Int.random(in: 0...Timestamp.hour.rawValue, using: &generator)
            let domain = domains.randomElement(using: &generator) ?? domains[0]
            let event = DeviceEvent.system(
                .associationChecked(domain: domain, source: domain, answer(using: &generator))
            )
            return Step(event: event, now: Timestamp(milliseconds: milliseconds))
        }
    }

    private static func answer(using generator: inout SeededGenerator) -> Result<[UInt8], AssociationFailure> {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: .success(ClownTown.file("/*"))
        case 1: .success(ClownTown.file("/clowns/*", for: ClownTown.app, "ABCDE12345.com.example.notes"))
        case 2: .success(Array("{".utf8))
        case 3: .success(Array(#"{"applinks":{"details":[{"appIDs":["X.y"],"components":[{}]}]}}"#.utf8))
        default: .failure(.example)
        }
    }
}
