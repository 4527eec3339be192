import DeviceModel
import Foundation
import Highlights
import Testing
import WaypostSchema

/// A device with the TV app, the Music app and two contacts, in the words that the tests use.
///
/// Whatever happens to it is a line of a journal, which is written and read again first, so that its form is tried too.
struct SharingDevice {
    private(set) var model: DeviceModel
    private(set) var journal: [JournalEntry] = []

    /// Everything that apps were told, in its order.
    private(set) var updates: [HighlightsUpdate] = []

    /// Everything that crossed to the side of apps, in its order.
    private(set) var appSide: [DeviceEffect] = []

    /// When the last event was; each is a second after the one before.
    private(set) var now = Timestamp.talk
    private var messages = 0

    /// Creates a device that was set up: its apps are there, the files of their domains and the contacts.
    init(
        apps: [AppDescription] = [.tv, .music],
        contacts: [Contact] = [.enrique, .sarah],
        ranking: RankingRules = RankingRules(),
        pinnedIsAlwaysAvailable: Bool = false
    ) {
        model = DeviceModel(ranking: ranking)
        let phone = DeviceDescription(name: "phone", apps: apps, pinnedIsAlwaysAvailable: pinnedIsAlwaysAvailable)
        happen(.deviceDescribed(phone))
        fetch(AssociationText.offering("/shows/*", to: .tv), of: "tv.example")
        fetch(AssociationText.offering("/playlists/*", to: .music), of: "music.example")
        for contact in contacts { happen(.contactChanged(contact)) }
    }

    /// Creates a device to which nothing but what `model` knows has happened.
    init(_ model: DeviceModel) {
        self.model = model
    }

    /// Lets an event happen and returns what the device does about it.
    @discardableResult
    mutating func happen(_ event: DeviceEvent) -> [DeviceEffect] {
        pass(1_000)
        return take(JournalEntry(at: now, event: event))
    }

    /// Takes in a line of a journal.
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

    /// Lets time pass of which the device is not told before the next event.
    mutating func pass(_ milliseconds: Int) {
        now = now + milliseconds
    }

    /// The name of the next message.
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
    /// What apps are told.
    var updates: [HighlightsUpdate] {
        compactMap { if case .highlightsChanged(let update) = $0 { update } else { nil } }
    }

    /// What was decided of offers of automatic sharing.
    var offers: [OfferDecision] {
        compactMap { if case .automaticSharingConsidered(let offer) = $0 { offer } else { nil } }
    }

    /// Why events changed nothing.
    var ignored: [IgnoredEvent.Reason] {
        compactMap { if case .eventIgnored(let ignored) = $0 { ignored.reason } else { nil } }
    }
}
