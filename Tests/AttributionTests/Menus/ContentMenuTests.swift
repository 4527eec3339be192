import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// The context menu that an app describes for its content.
@Suite struct ContentMenuTests {
    private static let items = [MenuItem(id: "open", title: "Open"), MenuItem(id: "copy", title: "Copy")]
    private static let viewItems = AttributionMenu(preferences: AttributionPreferences(), in: .english).systemItems

    @Test(
        .proves("B95"),
        arguments: [
            (nil, nil, [["open", "copy"], ["reply", "remove"]]),
            (.atEnd, 1, [["open", "copy"], ["reply", "remove"]]),
            (.inline, nil, [["reply", "remove"], ["open", "copy"]]),
            (.inline, 1, [["open"], ["reply", "remove"], ["copy"]]),
            (.inline, 9, [["open", "copy"], ["reply", "remove"]]),
        ] as [(placement: ContentMenu.Placement?, after: Int?, sections: [[MenuItemID]])]
    )
    func itemsOfTheViewAreInlineOrAtTheEnd(
        _ placement: ContentMenu.Placement?,
        _ after: Int?,
        _ sections: [[MenuItemID]]
    ) {
        let menu = ContentMenu(items: Self.items, placement: placement, after: after)
        let shown = ContextMenu(menu, viewItems: Self.viewItems)
        #expect(shown.sections.map { $0.map(\.id) } == sections)
    }

    @Test func itemThatCannotBeShownIsAFinding() {
        let menu = ContentMenu(items: [
            MenuItem(id: "reply", title: "Silence"), MenuItem(id: "open", title: "\u{202E}"),
            MenuItem(id: "copy", title: "Copy"), MenuItem(id: "copy", title: "Copy again"),
        ])
        #expect(menu.usableItems == [MenuItem(id: "copy", title: "Copy")])
        #expect(
            menu.findings.map(\.field) == [
                "contextMenu.items[0].id", "contextMenu.items[1].title", "contextMenu.items[3].id",
            ]
        )
    }
}
