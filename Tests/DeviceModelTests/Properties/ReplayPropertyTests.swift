import DeviceModel
import FoundationEssentials
import Highlights
import Testing
import WaypostSchema

/// Random histories: a snapshot is a device, and a journal is all there is to one.
@Suite struct ReplayPropertyTests {
    private static let seeds: ClosedRange<UInt64> = 100...103

    @Test(arguments: seeds)
    func snapshotAndTheRestEqualTheWholeReplay(seed: UInt64) {
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

    /// What is written down and read again goes on as if nothing had been.
    @Test(arguments: seeds)
    func deviceThatWasWrittenAndTheRestEqualTheWholeReplay(seed: UInt64) throws {
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
    func everyEntryIsReadAsItWasWritten(seed: UInt64) throws {
        for entry in SharingHistory(seed: seed).entries {
            let written = try JSONEncoder().encode(entry)
            #expect(try JSONDecoder().decode(JournalEntry.self, from: written) == entry)
        }
    }

    @Test(arguments: seeds)
    func everyReactionIsReadAsItWasWritten(seed: UInt64) throws {
        var device = DeviceModel()
        for entry in SharingHistory(seed: seed).entries {
            let reaction = device.take(entry)
            let written = try JSONEncoder().encode(reaction)
            #expect(try JSONDecoder().decode(DeviceReaction.self, from: written) == reaction)
        }
    }
}
