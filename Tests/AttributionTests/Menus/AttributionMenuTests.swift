import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct AttributionMenuTests {
    private func menu(
        _ title: String? = nil,
        _ supplement: [MenuItem] = [],
        in language: AttributionLanguage = .english
    ) -> AttributionMenu {
        let preferences = AttributionPreferences(menuTitleForHideAction: title, supplementalMenu: supplement)
        return AttributionMenu(preferences: preferences, in: language)
    }

    @Test(
        .proves("B26", "B29"),
        arguments: zip(
            AttributionLanguage.allCases,
            [["Reply", "Remove"], ["回复", "移除"], ["返信", "削除"], ["답장", "제거"]]
        )
    ) func viewHasReplyAndRemove(_ language: AttributionLanguage, _ titles: [String]) {
        let menu = menu(in: language)
        #expect(menu.systemItems.map(\.id) == [.reply, .remove])
        #expect(menu.systemItems.map(\.title) == titles)
        #expect(menu.findings.isEmpty)
        #expect(menu.sections == [menu.systemItems])
    }

    @Test(
        .proves("B30", "B96"),
        arguments: zip(AttributionLanguage.allCases, ["Remove Link", "移除链接", "リンクの削除", "링크 제거"])
    ) func appMayTitleRemove(_ language: AttributionLanguage, _ title: String) {
        let menu = menu(" \(title)\n", in: language)
        #expect(menu.systemItems.last == MenuItem(id: .remove, title: title))
        #expect(menu.findings.isEmpty)
    }

    @Test(.proves("B97"), arguments: AttributionLanguage.allCases)
    func titleWithoutTheWordIsUsedWithAFinding(_ language: AttributionLanguage) {
        let menu = menu("Forget\u{202E}", in: language)
        #expect(menu.systemItems.last == MenuItem(id: .remove, title: "Forget"))
        #expect(menu.findings.map(\.code) == [.hideTitleWithoutRemove])
    }

    @Test(arguments: ["", " \n", "\u{200B}"]) func blankTitleEqualsNoTitle(_ title: String) {
        let menu = menu(title, in: .japanese)
        #expect(menu.systemItems.last?.title == "削除")
        #expect(menu.findings.map(\.field) == ["menuTitleForHideAction"])
    }

    @Test func itemsOfTheAppFollowThoseOfTheView() {
        let menu = menu(nil, [MenuItem(id: "save", title: "Save\tfor later "), MenuItem(id: "copy", title: "Copy")])
        #expect(menu.supplementalItems.map(\.title) == ["Save for later", "Copy"])
        #expect(menu.sections.map { $0.map(\.id) } == [["reply", "remove"], ["save", "copy"]])
        #expect(menu.findings.isEmpty)
    }

    @Test(arguments: ["", " \n", "\u{202E}"]) func itemWithoutATitleIsOmitted(_ title: String) {
        let menu = menu(nil, [MenuItem(id: "save", title: title), MenuItem(id: "save", title: "Save")])
        #expect(menu.supplementalItems.map(\.title) == ["Save"])
        #expect(menu.findings.map(\.code) == [.blankMenuItem])
        #expect(menu.findings.map(\.field) == ["supplementalMenu[0].title"])
    }

    @Test func titleInAnUnsupportedLanguageIsNotChecked() {
        let preferences = AttributionPreferences(menuTitleForHideAction: "Supprimer le lien")
        let menu = AttributionMenu(preferences: preferences, in: .english, isUserLanguage: false)
        #expect(menu.systemItems.last?.title == "Supprimer le lien")
        #expect(menu.findings.isEmpty)
        let blank = AttributionPreferences(menuTitleForHideAction: " ")
        #expect(AttributionMenu(preferences: blank, in: .english, isUserLanguage: false).findings.count == 1)
    }

    @Test func repeatedItemIsOmitted() {
        let ids: [MenuItemID] = ["save", "reply", "save", "copy", "remove"]
        let menu = menu("x", ids.map { MenuItem(id: $0, title: "Title") })
        #expect(menu.supplementalItems.map(\.id) == ["save", "copy"])
        #expect(menu.systemItems.map(\.title) == ["Reply", "x"])
        #expect(
            menu.findings.map(\.field) == [
                "menuTitleForHideAction", "supplementalMenu[1].id", "supplementalMenu[2].id", "supplementalMenu[4].id",
            ]
        )
        #expect(menu.findings.dropFirst().allSatisfy { $0.code == .repeatedMenuItem })
        let messages = menu.findings.dropFirst().map(\.message)
        #expect(messages.map { $0.contains("is the identifier of a view's own item") } == [true, false, true])
    }
}
