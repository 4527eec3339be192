import DeviceModel
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// The effects of time alone, in random histories.
@Suite struct TimePropertyTests {
    private static let seeds = Trials.seeds(4, from: 200)
    private static let sixtyDays = 5_184_000_000

    @Test(arguments: seeds)
    func timeNeverSwapsTwoItems(seed: UInt64) {
        let before = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        var after = before
        while let deadline = after.sharing.nextDeadline { after.wait(until: deadline) }
        for (old, new) in zip(before.shelves, after.shelves) {
            // Time only changes which item is first. The scores, which decide it, stay the same.
            #expect(old.orderBehindTheFirst(new) == new.orderBehindTheFirst(old), "seed \(seed)")
            #expect(old.scores == new.scores, "seed \(seed)")
        }
    }

    @Test(arguments: seeds)
    func nothingChangesBeforeTheDeadline(seed: UInt64) throws {
        var device = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        for _ in 0..<5 {
            guard let deadline = device.sharing.nextDeadline else { return }
            let (shelves, explanations) = (device.shelves, device.explanations)
            #expect(deadline > device.sharing.clock)
            let reaction = device.wait(until: deadline.later(by: -1))
            #expect(reaction == DeviceReaction(effects: [], nextDeadline: deadline))
            #expect(device.shelves == shelves)
            #expect(device.explanations == explanations)
            device.wait(until: deadline)
            #expect((device.sharing.nextDeadline ?? DeviceModel.latestTime) > deadline)
        }
    }

    @Test(arguments: seeds)
    func somethingChangesAtTheDeadline(seed: UInt64) throws {
        var device = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        // Items that an app cannot see have deadlines too; here every app sees its items.
        guard let deadline = device.sharing.nextDeadline, device.shelves.allSatisfy({ $0.state == .ready }) else {
            return
        }
        let before = device.explanations
        device.wait(until: deadline)
        #expect(device.explanations != before, "seed \(seed)")
    }

    @Test(arguments: seeds)
    func oneLongWaitEqualsManyShortOnes(seed: UInt64) {
        var patient = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        var restless = patient
        let end = patient.sharing.clock.later(by: Self.sixtyDays)
        patient.wait(until: end)
        while let deadline = restless.sharing.nextDeadline, deadline <= end { restless.wait(until: deadline) }
        restless.wait(until: end)
        #expect(restless.shelves == patient.shelves)
        #expect(restless.sharing.nextDeadline == patient.sharing.nextDeadline)
    }
}

extension ShelfReport {
    /// Returns the items in order, without those that are first and curated in either report.
    fileprivate func orderBehindTheFirst(_ other: Self) -> [HighlightID] {
        let first = (items + other.items).filter { $0.rank.section == .curated }.map(\.highlight.id)
        return items.map(\.highlight.id).filter { !first.contains($0) }
    }

    fileprivate var scores: [HighlightID: Int] {
        Dictionary(uniqueKeysWithValues: items.map { ($0.highlight.id, $0.rank.score) })
    }
}
