import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The effects of the other items of a menu: *Remove*, and those of the app.
@Suite struct ChosenItemTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv, .music)
        device.receive(Link.show, as: "message")
        let items = [MenuItem(id: "later", title: "Watch Later"), MenuItem(id: "copy", title: "Copy")]
        device.request(as: .first, AttributionPreferences(width: 200, supplementalMenu: items))
    }

    @Test(.proves("B26", "B28")) mutating func removeHidesTheLinkPermanently() throws {
        let update = try #require(device.choose(.remove).updates.first)
        #expect(update.changes.map(\.change) == [.removed])
        device.receive(Link.show, from: .sarah, in: .sarah)
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .notRemoved)
    }

    @Test(.proves("B28")) mutating func removeInTheMenuEqualsRemoveElsewhere() {
        var other = device
        #expect(device.choose(.remove) == other.apply(.sharing(.linkRemoved(url: Link.show))))
        #expect(device.page() == other.page())
    }

    @Test mutating func removedLinkReturnsWhenItIsRestored() {
        device.choose(.remove)
        device.apply(.sharing(.linkRestored(url: Link.show)))
        #expect(device.shelf() == [Link.show])
        #expect(device.request().provided.count == 1)
    }

    @Test(.proves("B98", "B99")) mutating func removeWithACustomTitleRemoves() {
        let preferences = AttributionPreferences(menuTitleForHideAction: "Remove Link")
        let menu = device.request(as: .first, preferences).provided.first?.menu
        #expect(menu?.last == MenuItem(id: "remove", title: "Remove Link"))
        device.choose(.remove)
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func removeNeedsNoSceneAndSendsNoPresentationNotice() {
        let effects = device.choose(.remove, in: "no-scene")
        #expect(effects.notices.isEmpty && effects.ignored.isEmpty)
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func removeIsNotAnInteraction() {
        device.choose(.remove)
        device.apply(.sharing(.linkRestored(url: Link.show)))
        #expect(device.points(of: Link.show)[.interacted] == nil)
    }

    @Test(.proves("B94")) mutating func appIsNotifiedOfItsOwnItems() {
        #expect(device.choose("copy").chosen == [ChosenMenuItem(app: .tv, view: .first, item: "copy")])
        #expect(
            device.choose("later") == [
                .attribution(.menuItemChosen(ChosenMenuItem(app: .tv, view: .first, item: "later")))
            ]
        )
    }

    @Test(.proves("B29", "B94")) mutating func itemsOfTheAppAreOnlyInTheMenuThatTheDeviceShows() {
        #expect(device.view()?.menu.map(\.id) == ["reply", "remove"])
        #expect(
            device.model.requestedViews(.first).map { device.model.menu(of: $0).supplementalItems.map(\.id) } == [
                ["later", "copy"]
            ]
        )
    }

    @Test mutating func unknownItemIsRefused() {
        #expect(device.choose("absent").ignored == [.unknownMenuItem])
        device.request(as: .first)
        #expect(device.choose("copy").ignored == [.unknownMenuItem])
        #expect(device.choose("copy", of: .second).ignored == [.unknownView])
        #expect(device.choose("copy", of: .first, .music).ignored == [.unknownView])
    }

    @Test mutating func itemOfTheAppCannotReplaceAnItemOfTheView() {
        let items = [MenuItem(id: "remove", title: "Keep"), MenuItem(id: "reply", title: "Silence")]
        device.request(as: .first, AttributionPreferences(supplementalMenu: items))
        #expect(device.model.requestedViews(.first).map { device.model.menu(of: $0).supplementalItems } == [[]])
        #expect(device.choose(.reply).conversations.count == 1)
        #expect(device.choose(.remove).chosen.isEmpty)
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func removeLeavesAPresentedConversation() {
        device.tap()
        #expect(device.choose(.remove).notices.isEmpty)
        #expect(device.reply().notices.map(\.state) == [.dismissed])
    }

    @Test(.proves("B28")) mutating func pinnedLinkCanBeRemoved() {
        device.pin("message")
        device.choose(.remove)
        #expect(device.shelf().isEmpty)
    }
}
