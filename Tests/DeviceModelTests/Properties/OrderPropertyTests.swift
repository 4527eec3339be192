import DeviceModel
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// The order in which things happen that have nothing to do with each other, and equal items.
@Suite struct OrderPropertyTests {
    private static let seeds: ClosedRange<UInt64> = 400...411
    private static let now = Timestamp(milliseconds: 1_654_594_800_000)

    @Test(arguments: seeds)
    func independentEventsInAnyOrderGiveTheSameShelf(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let events = Self.independent(using: &generator)
        let (first, second) = (Self.device(after: events), Self.device(after: events.shuffled(using: &generator)))
        #expect(first.shelves == second.shelves, "seed \(seed)")
        #expect(first.undeliveredExplanations == second.undeliveredExplanations, "seed \(seed)")
        #expect(first.sharing.search("", limit: 100) == second.sharing.search("", limit: 100), "seed \(seed)")
    }

    @Test(arguments: seeds)
    func equalItemsAreOrderedByKey(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let urls = (0..<20).map { "https://tv.example/shows/\($0)" }.shuffled(using: &generator)
        var device = Self.device(after: [])
        for (number, url) in urls.enumerated() { device.take(Self.message(number, url, in: "c1")) }
        #expect(device.sharing.page(of: "com.example.tv", limit: 100).highlights.map(\.url) == urls.sorted())
        device.wait(until: Self.now.later(by: 600_000))
        #expect(device.sharing.page(of: "com.example.tv", limit: 100).highlights.map(\.url) == urls.sorted())
    }

    @Test(arguments: seeds)
    func anotherContactWhoSharesNeverLowersAScore(seed: UInt64) {
        var device = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        device.take(.contactChanged(Contact(id: "new", handles: ["new@example.com"])))
        for url in device.shelves.flatMap(\.items).map(\.highlight.url) {
            var after = device
            let share = Message(
                id: MessageID(rawValue: "new-\(url)"),
                conversation: "new",
                sender: "new@example.com",
                text: url
            )
            after.take(.messageReceived(share))
            for (old, new) in zip(device.shelves, after.shelves) {
                for item in old.items {
                    let score = new.items.first { $0.highlight.id == item.highlight.id }?.rank.score
                    #expect(score ?? .min >= item.rank.score, "seed \(seed), \(url)")
                }
            }
        }
    }

    /// Events of which none is about what another one is about, all of one time.
    private static func independent(using generator: inout SeededGenerator) -> [DeviceEvent] {
        var events: [DeviceEvent] = (0..<4).flatMap { number -> [DeviceEvent] in
            let conversation = ConversationID(rawValue: "c\(number)")
            let link = SampleLink.contents[Int.random(in: 0..<4, using: &generator)][number % 3]
            return [
                message(number, link.url, in: conversation, from: Handle(rawValue: "s\(number)@example.com")),
                .contactChanged(
                    Contact(
                        id: ContactID(rawValue: "p\(number)"),
                        handles: [Handle(rawValue: "s\(number)@example.com")]
                    )
                ),
            ]
        }
        events += [
            .sharingSet(.conversation("c2"), isOn: false), .sharingSet(.app("com.example.news"), isOn: false),
            .automaticSharingSet("com.example.tv", isOn: Bool.random(using: &generator)),
            .linkRemoved(url: SampleLink.contents[0][0].url),
            .linkResolved(url: SampleLink.short[0][0].url, target: SampleLink.contents[1][0].url),
        ]
        return events
    }

    private static func message(
        _ number: Int,
        _ url: String,
        in conversation: ConversationID,
        from sender: Handle = "mei@example.com"
    ) -> DeviceEvent {
        .messageReceived(
            Message(
                id: MessageID(rawValue: "m\(number)"),
                conversation: conversation,
                sender: sender,
                text: url,
                sentAt: now
            )
        )
    }

    /// A device with both apps, everything for them, and automatic sharing.
    private static func device(after events: [DeviceEvent]) -> DeviceModel {
        var device = DeviceModel()
        let apps = SampleApp.identifiers.map { SampleApp.versions(of: $0)[0] }
        let file = Array(SampleFile.everything.text.utf8)
        let events =
            [
                .deviceDescribed(DeviceDescription(name: "phone", apps: apps)),
                .associationChecked(domain: "tv.example", source: "test", .success(file)),
                .associationChecked(domain: "news.example", source: "test", .success(file)),
                .contactChanged(Contact(id: "mei", handles: ["mei@example.com"])),
                .automaticSharingSet("com.example.tv", isOn: true),
            ] + events
        for event in events { _ = device.apply(event, at: now) }
        return device
    }
}

extension DeviceModel {
    /// Why each app has each link or not, but for the update in which it was told: how many there are is up to the order.
    fileprivate var undeliveredExplanations: [LinkExplanation] {
        explanations.map { explanation in
            var explanation = explanation
            explanation.gates.removeAll { $0.gate == .delivered && $0.status == .pass }
            return explanation
        }
    }
}
