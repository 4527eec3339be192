import DeviceModel
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// The effect of another sharer on the order, and the order of items of the same instant.
@Suite struct OrderPropertyTests {
    private static let seeds = Trials.seeds(4, from: 400)
    private static let now = Timestamp(milliseconds: 1_654_594_800_000)

    @Test(arguments: seeds)
    func itemsOfTheSameInstantAreInTheOrderOfArrivalNewestFirst(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let urls = (0..<20).map { "https://tv.example/shows/\($0)" }.shuffled(using: &generator)
        var device = Self.device(after: [])
        for (number, url) in urls.enumerated() { device.take(Self.message(number, url, in: "c1")) }
        #expect(device.sharing.page(of: "com.example.tv", limit: 100).highlights.map(\.url) == urls.reversed())
        device.wait(until: Self.now.later(by: 600_000))
        #expect(device.sharing.page(of: "com.example.tv", limit: 100).highlights.map(\.url) == urls.reversed())
    }

    @Test(arguments: seeds)
    func anotherSharingContactNeverLowersAScore(seed: UInt64) {
        var device = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        device.take(.sharing(.contactChanged(Contact(id: "new", handles: ["new@example.com"]))))
        for url in device.shelves.flatMap(\.items).map(\.highlight.url) {
            var after = device
            let share = Message(
                id: MessageID(rawValue: "new-\(url)"),
                conversation: "new",
                sender: "new@example.com",
                text: url
            )
            after.take(.sharing(.messageReceived(share)))
            for (old, new) in zip(device.shelves, after.shelves) {
                for item in old.items {
                    let score = new.items.first { $0.highlight.id == item.highlight.id }?.rank.score
                    #expect(score ?? .min >= item.rank.score, "seed \(seed), \(url)")
                }
            }
        }
    }

    @Test(arguments: seeds)
    func anotherSharingContactNeverLowersAnItem(seed: UInt64) {
        var device = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        device.take(.sharing(.contactChanged(Contact(id: "new", handles: ["new@example.com"]))))
        for item in device.shelves.flatMap(\.items) {
            // Another sharer in a conversation without a contact may make other items surface too; these conversations
            // have a contact. A stranger's message would supersede that of a contact, and so lower the score.
            for conversation in ["new"] + item.conversations {
                var after = device
                let share = Message(
                    id: "new",
                    conversation: conversation,
                    sender: "new@example.com",
                    text: item.highlight.url
                )
                after.take(.sharing(.messageReceived(share)))
                for (old, new) in zip(device.shelves, after.shelves) {
                    let behind = old.behind(item.highlight.id)
                    #expect(behind.isSubset(of: new.behind(item.highlight.id)), "seed \(seed), \(share), \(old.app)")
                }
            }
        }
    }

    private static func message(
        _ number: Int,
        _ url: String,
        in conversation: ConversationID,
        from sender: Handle = "mei@example.com"
    ) -> DeviceEvent {
        .sharing(
            .messageReceived(
                Message(
                    id: MessageID(rawValue: "m\(number)"),
                    conversation: conversation,
                    sender: sender,
                    text: url,
                    sentAt: now
                )
            )
        )
    }

    /// Returns a device with both apps, files that offer them everything, and automatic sharing.
    private static func device(after events: [DeviceEvent]) -> DeviceModel {
        var device = DeviceModel()
        let apps = SampleApp.identifiers.map { SampleApp.versions(of: $0)[0] }
        let file = Array(SampleFile.everything.text.utf8)
        let events =
            [
                .system(.deviceDescribed(DeviceDescription(name: "phone", apps: apps))),
                .system(.associationChecked(domain: "tv.example", source: "test", .success(file))),
                .system(.associationChecked(domain: "news.example", source: "test", .success(file))),
                .sharing(.contactChanged(Contact(id: "mei", handles: ["mei@example.com"]))),
                .sharing(.automaticSharingSet("com.example.tv", isOn: true)),
            ] + events
        for event in events { _ = device.apply(event, at: now) }
        return device
    }
}

extension ShelfReport {
    /// Returns the items after an item, or an empty set if it is not in the list.
    fileprivate func behind(_ id: HighlightID) -> Set<HighlightID> {
        Set(items.map(\.highlight.id).drop { $0 != id }.dropFirst())
    }
}
