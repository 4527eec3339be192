import Testing
import WaypostSchema
import WaypostTestSupport

/// The user's *Remove*.
@Suite struct SharingRemovalTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv, "com.example.guide")
        device.receive(Link.show)
    }

    @Test(.proves("B28")) mutating func removalRemovesTheLinkFromEveryAppAtOnce() {
        let other = AppDescription.sharing("com.example.guide", "applinks:tv.example")
        device.apply(.system(.appInstalled(other)))
        device.fetch(AssociationText.offering("/shows/*", to: .tv, "com.example.guide"), of: "tv.example")
        #expect(device.shelf(of: "com.example.guide") == [Link.show])
        let updates = device.apply(.sharing(.linkRemoved(url: Link.show))).updates
        #expect(updates.map(\.app) == ["com.example.guide", .tv])
        #expect(device.shelf().isEmpty && device.shelf(of: "com.example.guide").isEmpty)
    }

    @Test mutating func removalAppliesToEverySpellingOfTheLink() {
        device.apply(.sharing(.linkRemoved(url: "HTTP://TV.example:80/shows/lasso/?utm_source=share")))
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func removalCanBeUndone() {
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        device.apply(.sharing(.linkRestored(url: Link.show)))
        #expect(device.shelf() == [Link.show])
        #expect(device.apply(.sharing(.linkRestored(url: Link.show))).ignored == [.notRemoved])
    }

    @Test mutating func removalOverridesAnEarlierPin() {
        let message = device.receive(Link.show)
        device.pin(message)
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func laterPinOverridesARemoval() {
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        let message = device.receive(Link.show)
        device.pin(message)
        #expect(device.shelf() == [Link.show])
        #expect(device.verdict(at: .notRemoved, on: Link.show)?.rule == .pinnedAfterRemoval)
    }

    @Test mutating func unsentLinkCanBeRemovedInAdvance() {
        device.apply(.sharing(.linkRemoved(url: Link.otherShow)))
        device.receive(Link.otherShow)
        #expect(device.shelf() == [Link.show])
    }

    @Test(arguments: ["ftp://tv.example/shows/lasso", "lasso", ""])
    mutating func textThatIsNotAWebURLCannotBeRemoved(_ text: String) {
        #expect(device.apply(.sharing(.linkRemoved(url: text))).ignored == [.notAWebURL])
        #expect(device.apply(.sharing(.linkRestored(url: text))).ignored == [.notAWebURL])
    }
}
