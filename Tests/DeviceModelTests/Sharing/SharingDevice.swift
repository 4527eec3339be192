import DeviceModel
import Foundation
import Highlights
import Testing
import WaypostSchema

/// A device with the TV app, the Music app and two contacts, with short methods for the tests.
///
/// Each event is encoded as a line of a journal and decoded first, so that the format is tested too.
struct SharingDevice {
    private(set) var model: DeviceModel
    private(set) var journal: [JournalEntry] = []

    /// All updates that apps received, in order.
    private(set) var updates: [HighlightsUpdate] = []

    /// All effects that crossed to apps, in order.
    private(set) var appSide: [DeviceEffect] = []

    /// The time of the last event.
    ///
    /// Each event is one second after the previous one.
    private(set) var now = Timestamp.talk
    private var messages = 0

    /// Creates a device with its apps, the files of their domains, and the contacts.
    init(
        apps: [AppDescription] = [.tv, .music],
        contacts: [Contact] = [.enrique, .sarah],
        ranking: RankingRules = RankingRules(),
        pinnedIsAlwaysAvailable: Bool = true
    ) {
        model = DeviceModel(ranking: ranking)
        let phone = DeviceDescription(name: "phone", apps: apps, pinnedIsAlwaysAvailable: pinnedIsAlwaysAvailable)
        apply(.system(.deviceDescribed(phone)))
        fetch(AssociationText.offering("/shows/*", to: .tv), of: "tv.example")
        fetch(AssociationText.offering("/playlists/*", to: .music), of: "music.example")
        for contact in contacts { apply(.sharing(.contactChanged(contact))) }
    }

    /// Creates a device without events other than those of `model`.
    init(_ model: DeviceModel) {
        self.model = model
    }

    /// Applies an event one second later and returns its effects.
    @discardableResult
    mutating func apply(_ event: DeviceEvent) -> [DeviceEffect] {
        pass(1_000)
        return take(JournalEntry(at: now, event: event))
    }

    /// Applies a line of a journal.
    @discardableResult
    mutating func take(_ entry: JournalEntry) -> [DeviceEffect] {
        let line = Self.reread(entry)
        now = line.at
        journal.append(line)
        let effects = model.apply(line.event, at: line.at).effects
        updates += effects.updates
        appSide += effects.forApps(after: line.event)
        return effects
    }

    /// Advances the clock without an event; the device learns of it with the next event.
    mutating func pass(_ milliseconds: Int) {
        now = now + milliseconds
    }

    /// Returns the identifier of the next message.
    mutating func nextMessage() -> MessageID {
        messages += 1
        return MessageID(rawValue: "message-\(messages)")
    }

    private static func reread(_ entry: JournalEntry) -> JournalEntry {
        do {
            let line = try JSONEncoder().encode(entry)
            let read = try JSONDecoder().decode(JournalEntry.self, from: line)
            #expect(read == entry)
            return read
        } catch {
            Issue.record(error, "\(entry)")
            return entry
        }
    }
}

extension [DeviceEffect] {
    /// The updates that apps receive.
    var updates: [HighlightsUpdate] {
        compactMap { if case .sharing(.highlightsChanged(let update)) = $0 { update } else { nil } }
    }

    /// The decisions on offers of automatic sharing.
    var offers: [OfferDecision] {
        compactMap { if case .sharing(.automaticSharingConsidered(let offer)) = $0 { offer } else { nil } }
    }

    /// The reasons why events changed nothing.
    var ignored: [IgnoredEvent.Reason] {
        compactMap { if case .system(.eventIgnored(let ignored)) = $0 { ignored.reason } else { nil } }
    }
}
