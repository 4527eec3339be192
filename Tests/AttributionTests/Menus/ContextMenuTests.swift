import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct ContextMenuTests {
    private static let app: [MenuItem] = [
        MenuItem(id: "open", title: "Open"), MenuItem(id: "copy", title: "Copy"), MenuItem(id: "share", title: "Share"),
    ]
    private static let view = AttributionMenu(
        preferences: AttributionPreferences(
            menuTitleForHideAction: "Remove Link",
            supplementalMenu: [MenuItem(id: "save", title: "Save")]
        ),
        in: .english
    )

    static let placements: [(placement: ContextMenu.Placement, sections: [[MenuItemID]])] = [
        (.atEnd, [["open", "copy", "share"], ["reply", "remove"]]),
        (.inline(after: 3), [["open", "copy", "share"], ["reply", "remove"]]),
        (.inline(after: 1), [["open"], ["reply", "remove"], ["copy", "share"]]),
        (.inline(after: 0), [["reply", "remove"], ["open", "copy", "share"]]),
        (.inline(after: -1), [["reply", "remove"], ["open", "copy", "share"]]),
        (.inline(after: 4), [["open", "copy", "share"], ["reply", "remove"]]),
    ]

    @Test(.proves("B94", "B95"), arguments: placements)
    func itemsOfTheViewHaveThePlacementOfTheApp(_ placement: ContextMenu.Placement, _ sections: [[MenuItemID]]) {
        let menu = ContextMenu(appItems: Self.app, viewItems: Self.view.systemItems, placement: placement)
        #expect(menu.sections.map { $0.map(\.id) } == sections)
    }

    @Test(.proves("B98")) func removeLinkIsAtTheEnd() {
        let menu = Self.app.appending(Self.view)
        #expect(menu.sections.last?.last == MenuItem(id: .remove, title: "Remove Link"))
        #expect(menu.sections.count == 2)
    }

    @Test func noSectionIsEmpty() {
        #expect([].appending(Self.view).sections == [Self.view.systemItems])
        #expect(ContextMenu(appItems: Self.app, viewItems: [], placement: .atEnd).sections == [Self.app])
        #expect(ContextMenu(appItems: [], viewItems: []).sections.isEmpty)
    }
}
