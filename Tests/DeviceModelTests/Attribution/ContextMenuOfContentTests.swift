import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The context menu of an app's content on a device: the app's items, and those of the attribution view.
@Suite struct ContextMenuOfContentTests {
    private static let play = MenuItem(id: "play", title: "Play")
    private static let next = MenuItem(id: "next", title: "Add to Up Next")

    private static let tv: AppDescription = {
        var app = AppDescription.tv
        app.contextMenu = ContentMenu(
            items: [Self.play, Self.next],
            placement: .inline,
            after: 1,
            menuTitleForHideAction: "Remove Show"
        )
        return app
    }()

    private var device = SharingDevice(apps: [Self.tv, .music])

    init() {
        device.shareAutomatically(with: .tv, .music)
    }

    private func menu(_ url: String = Link.show, in app: BundleIdentifier = .tv) throws -> ContentMenuReport {
        try #require(device.model.contextMenu(of: url, in: app))
    }

    @Test(.proves("B29", "B95")) mutating func itemsOfTheViewAreWhereTheAppPutsThem() throws {
        device.receive(Link.show)
        let menu = try menu()
        #expect(menu.sections.map { $0.map(\.title) } == [["Play"], ["Reply", "Remove Show"], ["Add to Up Next"]])
        #expect(menu.explanation == "Reply and Remove Show are inline, after 1 of the 2 items of com.example.tv")
        #expect(menu.findings.isEmpty && menu.view == nil)
    }

    @Test(.proves("B29")) func contentThatNobodySharedHasTheItemsOfTheAppAlone() throws {
        let menu = try menu()
        #expect(menu.sections == [[Self.play, Self.next]])
        #expect(menu.explanation.contains("because com.example.tv has no highlight for the link: "))
    }

    @Test mutating func appWithoutAMenuHasTheItemsOfTheViewAlone() throws {
        device.receive(Link.playlist)
        let menu = try menu(Link.playlist, in: .music)
        #expect(menu.sections.map { $0.map(\.id) } == [["reply", "remove"]])
        #expect(menu.explanation.contains("Reply and Remove are alone"))
    }

    @Test(.proves("B98", "B99")) mutating func titleOfTheViewThatTheAppRequestedCounts() throws {
        device.receive(Link.show)
        device.request(as: .first, AttributionPreferences(menuTitleForHideAction: "Remove Link"))
        let menu = try menu()
        #expect(menu.view == .first)
        #expect(menu.sections.flatMap { $0 }.map(\.title) == ["Play", "Reply", "Remove Link", "Add to Up Next"])
    }

    @Test mutating func titleWithoutTheWordIsAFinding() throws {
        device.receive(Link.show)
        device.request(as: .first, AttributionPreferences(menuTitleForHideAction: "Delete"))
        #expect(try menu().findings.map(\.field) == ["menuTitleForHideAction"])
    }

    @Test(.proves("B29", "B94")) mutating func chosenItemOfTheMenuHasItsEffect() throws {
        device.receive(Link.show)
        device.request(as: .first)
        let chosen = device.choose("play").chosen
        #expect(chosen == [ChosenMenuItem(app: .tv, view: .first, item: "play")])
        let conversations = device.choose("reply").conversations
        #expect(conversations.count == 1)
        device.dismiss()
        device.choose("remove")
        #expect(device.shelf().isEmpty)
        #expect(try menu().sections == [[Self.play, Self.next]])
    }

    @Test mutating func itemThatIsInNoMenuIsRefused() {
        device.receive(Link.show)
        device.request(as: .first)
        let ignored = device.choose("absent").ignored
        #expect(ignored == [.unknownMenuItem])
    }

    @Test func appThatIsNotOnTheDeviceHasNoMenu() {
        #expect(device.model.contextMenu(of: Link.show, in: "com.example.absent") == nil)
    }
}
