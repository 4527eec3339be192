import DeviceModel
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// Random events that do not concern each other, in many orders.
@Suite struct IndependentEventsTests {
    private static let seeds = Trials.seeds(6, from: 513)

    @Test(arguments: seeds)
    func independentEventsInAnyOrderGiveTheSameDevice(seed: UInt64) {
        let independent = IndependentEvents(seed: seed)
        let first = Outcome(of: independent.events, after: independent.preparation)
        #expect(first.ignored.isEmpty, "seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<6 {
            let events = independent.events.shuffled(using: &generator)
            let other = Outcome(of: events, after: independent.preparation)
            #expect(other == first, "seed \(seed): \(events)")
            guard other == first else { return }
        }
    }

    /// Without this, the previous test would prove little.
    @Test func independentEventsOfEveryKindHaveAnEffect() {
        var (kinds, effective) = (Set<String>(), Set<String>())
        for seed in Self.seeds {
            let independent = IndependentEvents(seed: seed)
            let whole = Outcome(of: independent.events, after: independent.preparation)
            for (index, event) in independent.events.enumerated() where !effective.contains("\(event.kind)") {
                var others = independent.events
                others.remove(at: index)
                kinds.insert("\(event.kind)")
                if Outcome(of: others, after: independent.preparation) != whole { effective.insert("\(event.kind)") }
            }
        }
        #expect(effective == kinds)
        #expect(kinds.count == 16)
    }
}

/// Everything that apps and the user read after some events.
private struct Outcome: Equatable {
    private(set) var ignored: [IgnoredEvent] = []
    private(set) var pages: [HighlightPage] = []
    private(set) var reports: [ShelfReport] = []
    private(set) var findings: [[FoundLink]] = []
    private(set) var deadline: Timestamp?

    init(of events: [DeviceEvent], after preparation: [JournalEntry]) {
        var device = DeviceModel()
        for entry in preparation { note(device.take(entry)) }
        for event in events { note(device.apply(event, at: IndependentEvents.now)) }
        read(device)
        deadline = device.sharing.nextDeadline
        // Includes items that become eligible only later.
        device.wait(until: IndependentEvents.now.later(by: 600_000))
        read(device)
    }

    private mutating func note(_ reaction: DeviceReaction) {
        ignored += reaction.effects.compactMap {
            if case .system(.eventIgnored(let ignored)) = $0 { ignored } else { nil }
        }
    }

    private mutating func read(_ device: DeviceModel) {
        pages += device.sharing.apps.map { device.sharing.page(of: $0, limit: 100) }
        reports += device.shelves
        findings += ["", "shows/1", "person3", "club", "and"].map { device.sharing.search($0, limit: 100) }
    }
}
