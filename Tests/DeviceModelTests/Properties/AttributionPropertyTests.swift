import DeviceModel
import FoundationEssentials
import Testing
import WaypostSchema
import WaypostTestSupport

/// Random histories with attribution views, taps and replies.
@Suite struct AttributionPropertyTests {
    private static let seeds = Trials.seeds(4, from: 505)

    private static func entries(_ seed: UInt64) -> [JournalEntry] {
        SharingHistory(seed: seed, count: 250, hasAttribution: true).entries
    }

    @Test(.proves("B63"), arguments: seeds)
    func everyLiveViewHasAHighlightAndEqualsWhatItsAppReceived(seed: UInt64) {
        var walk = AttributionWalk()
        for (number, entry) in Self.entries(seed).enumerated() {
            let errors = walk.take(entry)
            #expect(errors.isEmpty, "seed \(seed), entry \(number): \(entry)")
            guard errors.isEmpty else { return }
        }
    }

    @Test func historiesContainEveryKindOfEffect() {
        var counts: [String: Int] = [:]
        for seed in Self.seeds {
            var walk = AttributionWalk()
            for entry in Self.entries(seed) { _ = walk.take(entry) }
            counts.merge(walk.counts, uniquingKeysWith: +)
        }
        let kinds = [
            "attributionProvided", "presentationChanged", "conversationPresented", "disambiguationPresented",
            "messageSent",
            "contentReturned", "menuItemChosen",
        ]
        for kind in kinds { #expect(counts[kind, default: 0] > 3, "\(kind)") }
    }

    @Test(arguments: seeds)
    func sameJournalGivesTheSameEffects(seed: UInt64) {
        let entries = Self.entries(seed)
        var (one, other) = (DeviceModel(), DeviceModel())
        let reactions = entries.map { one.take($0) }
        #expect(entries.map { other.take($0) } == reactions)
        #expect(one.description == other.description)
    }

    @Test(arguments: seeds)
    func snapshotWithTheRemainingEntriesEqualsTheWholeReplay(seed: UInt64) {
        let entries = Self.entries(seed)
        var whole = DeviceModel()
        for entry in entries.prefix(125) { whole.take(entry) }
        var snapshot = whole
        let reactions = entries.suffix(from: 125).map { whole.take($0) }
        #expect(entries.suffix(from: 125).map { snapshot.take($0) } == reactions)
    }

    @Test(arguments: seeds)
    func everyEntryAndReactionSurvivesCoding(seed: UInt64) throws {
        var device = DeviceModel()
        for entry in Self.entries(seed) {
            let written = try JSONEncoder().encode(entry)
            #expect(try JSONDecoder().decode(JournalEntry.self, from: written) == entry)
            let reaction = device.take(entry)
            #expect(try JSONDecoder().decode(DeviceReaction.self, from: JSONEncoder().encode(reaction)) == reaction)
        }
    }

    @Test(arguments: seeds)
    func describingADeviceAsItIsChangesNothing(seed: UInt64) {
        var device = DeviceModel()
        for entry in Self.entries(seed) { device.take(entry) }
        guard !device.description.name.isEmpty else { return }
        let description = device.description
        let effects = device.take(.system(.deviceDescribed(description))).effects
        #expect(effects.provided.isEmpty && effects.notices.isEmpty && effects.updates.isEmpty)
        #expect(device.description == description)
    }
}
