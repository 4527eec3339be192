import DeviceModel
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// A choice that is undone leaves no trace, in random histories.
@Suite struct ChoicePropertyTests {
    private static let seeds = Trials.seeds(4, from: 300)

    @Test(arguments: seeds)
    func pinningAndUnpinningRestoresTheShelf(seed: UInt64) {
        let start = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        let shelves = start.shelves
        for number in 0..<30 {
            let message = MessageID(rawValue: "m\(number)")
            for url in SampleLink.contents.map(\.[0].url) {
                var device = start
                // Skips messages that are pinned already: the pair would end with the link unpinned.
                guard device.take(.sharing(.linkUnpinned(message, url: url))).isIgnored else { continue }
                device = start
                guard !device.take(.sharing(.linkPinned(message, url: url))).isIgnored else { continue }
                #expect(!device.take(.sharing(.linkUnpinned(message, url: url))).isIgnored)
                #expect(device.shelves == shelves, "seed \(seed), \(message)")
            }
        }
    }

    @Test(arguments: seeds)
    func turningSharingOffAndOnRestoresTheShelf(seed: UInt64) {
        let scopes: [SharingScope] = [.everywhere, .app("com.example.tv"), .conversation("c1"), .conversation("c3")]
        let after = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        for scope in scopes {
            var start = after
            start.take(.sharing(.sharingSet(scope, isOn: true)))
            var device = start
            device.take(.sharing(.sharingSet(scope, isOn: false)))
            device.take(.sharing(.sharingSet(scope, isOn: true)))
            #expect(device.shelves == start.shelves, "seed \(seed), \(scope)")
        }
    }

    @Test(arguments: seeds)
    func removingAndRestoringALinkRestoresTheShelf(seed: UInt64) {
        let after = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        for link in SampleLink.all.map(\.[0]) {
            var start = after
            start.take(.sharing(.linkRestored(url: link.url)))
            var device = start
            device.take(.sharing(.linkRemoved(url: link.url)))
            device.take(.sharing(.linkRestored(url: link.url)))
            #expect(device.shelves == start.shelves, "seed \(seed), \(link.url)")
        }
    }

    @Test(arguments: seeds)
    func automaticSharingOffNeverHidesAPinnedLink(seed: UInt64) {
        var device = DeviceModel(after: SharingHistory(seed: seed, count: 80))
        let pinned = device.shelves.map { $0.items.filter(\.isPinned).map(\.highlight.id) }
        for app in device.sharing.apps { device.take(.sharing(.automaticSharingSet(app, isOn: false))) }
        for (former, shelf) in zip(pinned, device.shelves) {
            #expect(shelf.items.map(\.highlight.id).filter(former.contains).count == former.count)
        }
    }
}

extension DeviceReaction {
    fileprivate var isIgnored: Bool {
        effects.contains { if case .system(.eventIgnored) = $0 { true } else { false } }
    }
}
