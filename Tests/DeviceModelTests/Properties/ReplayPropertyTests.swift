import DeviceModel
import FoundationEssentials
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// A snapshot behaves like its device, and a journal determines a device, in random histories.
@Suite struct ReplayPropertyTests {
    private static let seeds = Trials.seeds(4, from: 100)

    @Test(arguments: seeds)
    func snapshotWithTheRemainingEntriesEqualsTheWholeReplay(seed: UInt64) {
        let entries = SharingHistory(seed: seed).entries
        var whole = DeviceModel()
        for entry in entries.prefix(entries.count / 2) { whole.take(entry) }
        var snapshot = whole
        let shelves = snapshot.shelves
        let reactions = entries.suffix(from: entries.count / 2).map { whole.take($0) }
        #expect(snapshot.shelves == shelves)
        #expect(entries.suffix(from: entries.count / 2).map { snapshot.take($0) } == reactions)
        #expect(snapshot.shelves == whole.shelves)
        #expect(snapshot.explanations == whole.explanations)
    }

    /// An encoded and decoded device continues like the original.
    @Test(arguments: seeds)
    func decodedDeviceWithTheRemainingEntriesEqualsTheWholeReplay(seed: UInt64) throws {
        let entries = SharingHistory(seed: seed).entries
        var whole = DeviceModel()
        for entry in entries.prefix(entries.count / 2) { whole.take(entry) }
        var read = try JSONDecoder().decode(DeviceModel.self, from: try JSONEncoder().encode(whole))
        #expect(read.shelves == whole.shelves)
        #expect(read.description == whole.description)
        let reactions = entries.suffix(from: entries.count / 2).map { whole.take($0) }
        #expect(entries.suffix(from: entries.count / 2).map { read.take($0) } == reactions)
        #expect(read.explanations == whole.explanations)
    }

    @Test(arguments: seeds)
    func everyEntrySurvivesCoding(seed: UInt64) throws {
        for entry in SharingHistory(seed: seed).entries {
            let written = try JSONEncoder().encode(entry)
            #expect(try JSONDecoder().decode(JournalEntry.self, from: written) == entry)
        }
    }

    @Test(arguments: seeds)
    func everyReactionSurvivesCoding(seed: UInt64) throws {
        var device = DeviceModel()
        for entry in SharingHistory(seed: seed).entries {
            let reaction = device.take(entry)
            let written = try JSONEncoder().encode(reaction)
            #expect(try JSONDecoder().decode(DeviceReaction.self, from: written) == reaction)
        }
    }
}
