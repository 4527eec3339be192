import Foundation
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Fleets

@Suite struct FleetBehaviorTests {
    /// Reads a behavior that a temporary file has.
    private static func behavior(_ text: String) throws -> FleetBehavior {
        let file = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString).yaml")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try FleetBehavior(file: file.path, .fleet())
    }

    @Test func nameInBase60IsAText() throws {
        let behavior = try Self.behavior("{ name: 59:59:59:59:59:59:59:59:59:59:59, groups: [{ name: all }] }")
        #expect(behavior.name == "59:59:59:59:59:59:59:59:59:59:59")
    }

    @Test func fileDescribesGroupsAndStorms() throws {
        let behavior = try Self.behavior(
            """
            name: morning
            keep: 5
            groups:
              - { name: prompt, share: 70%, acknowledge: { after: 20ms, up-to: 80ms, lose: 2.5% } }
              - name: bad
                share: 20%
                crash: { share: 1%, for: 2s }
                offline: { every: 1m, for: 10s }
                opens: { share: 50%, after: 3s }
                app: not-running
                link: { delay: 150ms, loss: 2%, bandwidth: 250KB, half-open: { every: 5m, for: 1m } }
              - { name: rest }
            storms: [{ at: 30s, share: 50%, spread: 1s }, { at: 1m }]
            """
        )
        #expect(behavior.name == "morning")
        #expect(behavior.maximumNotifications == 5)
        #expect(behavior.groups.map(\.name) == ["prompt", "bad", "rest"])
        #expect(behavior.groups.map { ($0.share * 100).rounded() } == [70, 20, 10])
        let prompt = behavior.groups[0]
        #expect((prompt.minimumAcknowledgementDelay, prompt.maximumAcknowledgementDelay) == (20_000, 80_000))
        #expect(prompt.acknowledgementLoss == 0.025)
        let bad = behavior.groups[1]
        #expect((bad.crashProbability, bad.restartDelay) == (0.01, 2_000_000))
        #expect(bad.offlinePeriods == FleetGroup.Period(interval: 60_000_000, length: 10_000_000))
        #expect((bad.openProbability, bad.openDelay, bad.isAppRunning) == (0.5, 3_000_000, false))
        #expect(bad.link.silentPeriods == FleetGroup.Period(interval: 300_000_000, length: 60_000_000))
        #expect((bad.link.delay, bad.link.loss, bad.link.bandwidth) == (150_000, 0.02, 250_000))
        #expect(
            behavior.storms == [
                ReconnectStorm(at: 30_000_000, share: 0.5, spread: 1_000_000),
                ReconnectStorm(at: 60_000_000, share: 1, spread: 0),
            ]
        )
    }

    @Test func deviceFileIsRelativeToTheBehavior() throws {
        let folder = try ScratchFolder()
        _ = try folder.write("name: iPad\napps: []".utf8, to: "ipad.yaml")
        let file = try folder.write("device: ipad.yaml".utf8, to: "behavior.yaml")
        #expect(try FleetBehavior(file: file, .fleet()).device.name == "iPad")
    }

    @Test func problemsOfTheDeviceFileAreReported() throws {
        let folder = try ScratchFolder()
        let device = try folder.write("name: iPad\nAPPS: []".utf8, to: "ipad.yaml")
        let file = try folder.write("device: ipad.yaml".utf8, to: "behavior.yaml")
        let error = #expect(throws: FileFindings.self) { try FleetBehavior(file: file, .fleet()) }
        #expect(error?.description == "\(device):2:1: unknown key 'APPS'; did you mean 'apps'?")
    }

    @Test(arguments: [
        ("groups: []", "1:9: 'groups' is an empty list; it needs at least one element"),
        ("groups: [{ name: a, share: 5 }]", "1:28: 'share' is '5'; use a share from 0% to 100%, such as 2.5%"),
        ("groups: [{ share: 5% }]", "1:10: an element of 'groups' needs 'name'"),
        ("groups: [{ name: a, share: 60% }]", "1:9: the shares of the groups are 60% together; they must be 100%"),
        ("groups:\n  - { name: a, share: 100% }\n  - { name: b }", "2:3: the shares of the groups are 100% together"),
        ("groups: [{ name: a, akcnowledge: {} }]", "1:21: unknown key 'akcnowledge'; did you mean 'acknowledge'?"),
        ("groups: [{ name: a, link: { bandwidth: 5 } }]", "'bandwidth' is '5'; use a number and a unit: B, KB, MB"),
        ("groups: [{ name: a, offline: { every: 1m } }]", "1:30: 'offline' needs 'for'"),
        ("groups: [{ name: a, app: running- }]", "'app' is 'running-'; did you mean 'running'?"),
        ("storms: [{ at: soon }]", "1:16: 'at' is 'soon'; use a number and a unit: ms, s, m, h or d"),
        ("- a", "1:1: the file is a list; the behavior of a fleet is an object with 'name' and 'groups'"),
        ("", "1:1: the file is empty; the behavior of a fleet is an object"),
    ])
    func problemHasItsPlace(_ text: String, _ message: String) {
        let error = #expect(throws: FileFindings.self) { _ = try Self.behavior(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func groupsAreSpreadOverTheFleet() {
        var behavior = FleetBehavior()
        behavior.groups = [0.7, 0.2, 0.1].map { share in
            var group = FleetGroup()
            group.share = share
            return group
        }
        for count in [100, 1_000, 10_000] {
            let groups = (0..<count).map(behavior.groupIndex)
            for (index, group) in behavior.groups.enumerated() {
                let share = Double(groups.count { $0 == index }) / Double(count)
                #expect(abs(share - group.share) < 0.02)
            }
        }
    }
}
