import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The steps by which an app puts a view's items into the menu of its own content.
@Suite struct HighlightMenuTests {
    private static let items = [MenuItem(id: "open", title: "Open"), MenuItem(id: "share", title: "Share")]
    private static let title = "Remove Show"

    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
    }

    /// Creates a view of a highlight with a title, as an app does.
    private mutating func createView() throws {
        let highlight = try #require(device.page().highlights.first { $0.url == Link.show })
        let preferences = AttributionPreferences(menuTitleForHideAction: Self.title)
        let view = try #require(device.request(highlight.url, as: .first, preferences).provided.first)
        #expect(view.findings.isEmpty)
    }

    /// Returns the menu that the app builds now: its own items, and the current items of the view behind them.
    private func builtMenu() throws -> ContextMenu {
        ContextMenu(appItems: Self.items, viewItems: try #require(device.view()).menu)
    }

    @Test(.proves("B99")) mutating func itemsOfTheViewAreAppendedToTheMenuOfTheApp() throws {
        try createView()
        let sections = try builtMenu().sections
        #expect(sections.map { $0.map(\.id) } == [["open", "share"], [.reply, .remove]])
        #expect(sections.last?.map(\.title) == ["Reply", Self.title])
    }

    @Test(.proves("B99")) mutating func chosenItemsConcernTheHighlightOfTheView() throws {
        try createView()
        let identifiers = try #require(try builtMenu().sections.last).map(\.id)
        let reply = try #require(identifiers.first)
        #expect(device.choose(reply).conversations.map(\.conversation) == [.enrique])
        device.dismiss()
        #expect(Set(device.shelf()) == [Link.show, Link.otherShow])
        let remove = try #require(identifiers.last)
        device.choose(remove)
        #expect(device.shelf() == [Link.otherShow])
    }

    @Test(.proves("B99")) mutating func menuIsReadWhenTheAppBuildsItsOwn() throws {
        try createView()
        let before = try builtMenu()
        device.apply(.setting(.languageSet("ja")))
        let after = try builtMenu()
        #expect(before.sections.last?.map(\.title) == ["Reply", Self.title])
        #expect(after.sections.last?.map(\.title) == ["返信", Self.title])
        // A view that has ended has no menu to read.
        device.choose(.remove)
        #expect(device.view() == nil)
    }
}
