import Testing
import WaypostSchema
import WaypostTestSupport

/// The user's *Remove*.
@Suite struct SharingRemovalTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
    }

    @Test(.proves("B28")) mutating func removalRemovesTheLinkFromEveryAppAtOnce() {
        let other = AppDescription.sharing("com.example.guide", "applinks:tv.example")
        device.happen(.system(.appInstalled(other)))
        device.fetch(AssociationText.offering("/shows/*", to: .tv, "com.example.guide"), of: "tv.example")
        device.shareAutomatically(with: "com.example.guide")
        #expect(device.shelf(of: "com.example.guide") == [Link.show])
        let updates = device.happen(.sharing(.linkRemoved(url: Link.show))).updates
        #expect(updates.map(\.app) == ["com.example.guide", .tv])
        #expect(device.shelf().isEmpty && device.shelf(of: "com.example.guide").isEmpty)
    }

    @Test mutating func removalAppliesToEverySpellingOfTheLink() {
        device.happen(.sharing(.linkRemoved(url: "HTTP://TV.example:80/shows/lasso/?utm_source=share")))
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func removalCanBeUndone() {
        device.happen(.sharing(.linkRemoved(url: Link.show)))
        device.happen(.sharing(.linkRestored(url: Link.show)))
        #expect(device.shelf() == [Link.show])
        #expect(device.happen(.sharing(.linkRestored(url: Link.show))).ignored == [.notRemoved])
    }

    @Test mutating func removalOverridesAnEarlierPin() {
        let message = device.receive(Link.show)
        device.pin(message)
        device.happen(.sharing(.linkRemoved(url: Link.show)))
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func laterPinOverridesARemoval() {
        device.happen(.sharing(.linkRemoved(url: Link.show)))
        let message = device.receive(Link.show)
        device.pin(message)
        #expect(device.shelf() == [Link.show])
        #expect(device.verdict(at: .notRemoved, on: Link.show)?.rule == .pinnedAfterRemoval)
    }

    @Test mutating func unsentLinkCanBeRemovedInAdvance() {
        device.happen(.sharing(.linkRemoved(url: Link.otherShow)))
        device.receive(Link.otherShow)
        #expect(device.shelf() == [Link.show])
    }

    @Test(arguments: ["ftp://tv.example/shows/lasso", "lasso", ""])
    mutating func textThatIsNotAWebURLCannotBeRemoved(_ text: String) {
        #expect(device.happen(.sharing(.linkRemoved(url: text))).ignored == [.notAWebURL])
        #expect(device.happen(.sharing(.linkRestored(url: text))).ignored == [.notAWebURL])
    }
}
