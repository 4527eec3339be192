import Testing
import WaypostSchema
import WaypostTestSupport

/// An app that only follows updates has the same list as an app that reads it.
@Suite struct UpdateReplayTests {
    private static let urls = (0..<8).map { "https://tv.example/shows/\($0)" }

    @Test(.proves("B78"), arguments: Trials.seeds(12, from: 1))
    func updatesProduceTheListFromAnEmptyList(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var device = SharingDevice()
        device.shareAutomatically(with: .tv)
        var list = FollowedList()
        for update in device.updates where update.app == .tv {
            let isFitting = list.follow(update)
            #expect(isFitting)
        }
        for step in 0..<150 {
            let former = list.highlights
            let effects = Self.happening(in: &device, using: &generator)
            let isFitting = effects.updates.filter { $0.app == .tv }.allSatisfy { list.follow($0) }
            let page = device.page()
            guard isFitting, list.highlights == page.highlights else {
                Issue.record("seed \(seed), step \(step): \(device.journal.last.map { "\($0)" } ?? "")")
                return
            }
            expectDifference(from: former, to: page.highlights, in: effects)
        }
        #expect(list.number > 20)
    }

    /// Expects that the differences between the lists by identifier match the changes in the updates.
    private func expectDifference(from former: [Highlight], to next: [Highlight], in effects: [DeviceEffect]) {
        let changes = effects.updates.filter { $0.app == .tv }.flatMap(\.changes)
        guard effects.updates.count == 1 else { return }
        let (before, after) = (Set(former.map(\.id)), Set(next.map(\.id)))
        #expect(Set(changes.filter { $0.change == .added }.map(\.highlight.id)) == after.subtracting(before))
        #expect(Set(changes.filter { $0.change == .removed }.map(\.highlight.id)) == before.subtracting(after))
        let urls = Dictionary(former.map { ($0.id, $0.url) }) { first, _ in first }
        let rewritten = next.filter { highlight in urls[highlight.id].map { $0 != highlight.url } ?? false }
        let updated = Set(changes.filter { $0.change == .updated }.map(\.highlight.id))
        #expect(updated.isSuperset(of: rewritten.map(\.id)))
    }

    private static func happening(
        in device: inout SharingDevice,
        using generator: inout SeededGenerator
    ) -> [DeviceEffect] {
        let url = urls.randomElement(using: &generator) ?? urls[0]
        let message = MessageID(rawValue: "message-\(Int.random(in: 1...40, using: &generator))")
        switch Int.random(in: 0..<14, using: &generator) {
        case 0...3: return device.apply(.sharing(.messageReceived(newMessage(url, in: &device, using: &generator))))
        case 4: return device.pin(message)
        case 5: return device.unpin(message)
        case 6: return device.delete(message)
        case 7: return device.edit(message, to: "\(url)?utm_source=edit")
        case 8:
            return device.apply(
                Bool.random(using: &generator) ? .sharing(.linkRemoved(url: url)) : .sharing(.linkRestored(url: url))
            )
        case 9: return device.apply(.sharing(.contentFinished(.tv, url: url)))
        case 10: return device.apply(.sharing(.highlightInteracted(.tv, url: url)))
        case 11: return device.advance(minutes: Int.random(in: 1...60, using: &generator))
        case 12: return device.advance(days: Int.random(in: 1...20, using: &generator))
        default:
            return device.apply(.sharing(.sharingSet(.conversation(.sarah), isOn: Bool.random(using: &generator))))
        }
    }

    private static func newMessage(
        _ url: String,
        in device: inout SharingDevice,
        using generator: inout SeededGenerator
    ) -> Message {
        let isEnrique = Bool.random(using: &generator)
        return Message(
            id: device.nextMessage(),
            conversation: isEnrique ? .enrique : .sarah,
            sender: isEnrique ? .enrique : .sarah,
            text: Bool.random(using: &generator) ? url : "\(url)?utm_source=share"
        )
    }
}
