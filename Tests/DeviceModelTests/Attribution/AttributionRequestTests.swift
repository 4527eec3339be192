import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The answer to an app that requests an attribution view.
@Suite struct AttributionRequestTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv, .music)
        device.receive(Link.show)
    }

    @Test(.proves("B18", "B61", "B80")) mutating func appThatRequestsAViewGetsAHandleASizeAndMenuTitles() throws {
        let effects = device.request()
        let view = try #require(effects.provided.first)
        #expect(effects == [.attribution(.attributionProvided(view))])
        #expect(view.app == .tv && view.view == .first && view.findings.isEmpty)
        #expect(view.menu == [MenuItem(id: "reply", title: "Reply"), MenuItem(id: "remove", title: "Remove")])
        let size = try #require(device.model.drawing(of: AttributionViewID.first)?.layout.size)
        #expect(view.size == LayoutSize(width: size.width.inPoints, height: size.height.inPoints))
        #expect(view.size.width > 0 && view.size.height > 0)
        #expect(device.view() == view)
    }

    @Test(.proves("B19", "B20", "B61")) mutating func pictureIsOnlyForTheDevice() throws {
        device.request()
        let drawing = try #require(device.model.drawing(of: AttributionViewID.first))
        #expect(drawing.content.people.map(\.name) == ["Enrique"])
        #expect(drawing.layout.avatars.map(\.person) == drawing.content.people)
        #expect(device.model.requestedViews(.first).map(\.url) == [Link.show])
        #expect(device.model.requestedViews(.second).isEmpty)
    }

    @Test(.proves("B56", "B57")) mutating func everySharerIsInThePicture() {
        device.receive(Link.show, from: .sarah, in: .sarah)
        device.request()
        #expect(device.people() == ["Sarah", "Enrique"])
        #expect(device.model.drawing(of: AttributionViewID.first)?.layout.avatars.count == 2)
    }

    @Test(.proves("B21")) mutating func pinIsInThePicture() {
        let message = device.receive(Link.otherShow)
        device.request(Link.otherShow)
        #expect(device.model.drawing(of: AttributionViewID.first)?.content.isPinned == false)
        device.pin(message)
        #expect(device.model.drawing(of: AttributionViewID.first)?.content.isPinned == true)
    }

    @Test(.proves("B81", "B82")) mutating func preferencesApplyToTheView() {
        let preferences = AttributionPreferences(backgroundStyle: .material, width: 200)
        #expect(device.request(as: .first, preferences).provided.map(\.size.width) == [200])
        #expect(device.model.drawing(of: AttributionViewID.first)?.layout.backgroundStyle == .material)
    }

    /// The titles of the view's own items, and a title of the app's for Remove that contains that word.
    static let titles: [(language: String, reply: String, remove: String, custom: String)] = [
        ("en", "Reply", "Remove", "Remove Link"), ("zh-Hans", "回复", "移除", "移除链接"), ("ja", "返信", "削除", "リンクの削除"),
        ("ko-KR", "답장", "제거", "링크 제거"),
    ]

    @Test(.proves("B26", "B29", "B30", "B96", "B97"), arguments: titles)
    mutating func menuIsInTheUsersLanguage(
        _ titles: (language: String, reply: String, remove: String, custom: String)
    ) {
        device.set(language: titles.language)
        #expect(device.request().provided.map { $0.menu.map(\.title) } == [[titles.reply, titles.remove]])
        let custom = AttributionPreferences(menuTitleForHideAction: titles.custom)
        let provided = device.request(as: .second, custom).provided
        #expect(provided.map { $0.menu.map(\.title) } == [[titles.reply, titles.custom]])
        #expect(provided.map(\.findings) == [[]])
    }

    @Test(.proves("B97")) mutating func titleForRemoveIsCheckedAgainstTheUsersLanguage() {
        device.set(language: "ja")
        let provided = device.request(as: .first, AttributionPreferences(menuTitleForHideAction: "Remove Link"))
            .provided
        #expect(provided.map { $0.menu.map(\.title) } == [["返信", "Remove Link"]])
        #expect(provided.map { $0.findings.map(\.code) } == [[.hideTitleWithoutRemove]])
    }

    @Test(.proves("B86")) mutating func appReceivesFindingsAboutItsPreferences() {
        let preferences = AttributionPreferences(
            height: 1,
            minimumContentSizeCategory: .extraLarge,
            maximumContentSizeCategory: .small,
            supplementalMenu: [MenuItem(id: "remove", title: "Mine")]
        )
        let findings = device.request(as: .first, preferences).provided.flatMap(\.findings)
        #expect(Set(findings.map(\.code)) == [.heightTooSmall, .minimumAboveMaximum, .repeatedMenuItem])
    }

    @Test mutating func requestWithoutAHighlightIsRefused() {
        #expect(device.request(in: "absent").ignored == [.unknownApp])
        #expect(device.request(Link.otherShow).ignored == [.noHighlight])
        #expect(device.request("no URL").ignored == [.noHighlight])
        #expect(device.request(Link.show, in: .music).ignored == [.noHighlight])
        #expect(device.view() == nil && device.model.drawing(of: AttributionViewID.first) == nil)
    }

    @Test mutating func repeatedRequestReplacesThePreferences() {
        device.request(as: .first, AttributionPreferences(width: 200))
        let again = device.request(
            as: .first,
            AttributionPreferences(width: 120, menuTitleForHideAction: "Remove Show")
        )
        #expect(again.provided.map(\.size.width) == [120])
        #expect(again.provided.map { $0.menu.map(\.title) } == [["Reply", "Remove Show"]])
        #expect(device.view() == again.provided.first)
    }

    @Test mutating func repeatedRequestWithoutAChangeIsAnswered() {
        let first = device.request()
        #expect(device.request() == first)
    }

    @Test(.proves("B80")) mutating func viewThatGetsAnotherHighlightShowsIt() {
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.request()
        #expect(device.people() == ["Enrique"])
        #expect(device.request(Link.otherShow).provided.map(\.view) == [.first])
        #expect(device.people() == ["Sarah"])
        #expect(device.model.requestedViews(.first).map(\.url) == [Link.otherShow])
    }

    @Test mutating func requestWithoutAHighlightLeavesTheViewUnchanged() {
        device.request()
        #expect(device.request(Link.otherShow).ignored == [.noHighlight])
        #expect(device.people() == ["Enrique"])
    }

    @Test(.proves("B22", "B79")) mutating func contentCanHaveASummaryViewAndADetailView() {
        let summary = device.request(as: .first, AttributionPreferences(displayContext: .summary))
        let detail = device.request(as: .second, AttributionPreferences(displayContext: .detail))
        #expect((summary + detail).provided.map(\.view) == [.first, .second])
        #expect(device.people(on: .first) == ["Enrique"] && device.people(on: .second) == ["Enrique"])
        device.attach(.first)
        device.attach(.second)
        #expect(device.points(of: Link.show)[.started] == 500)
        #expect(device.tap(.second).conversations.map(\.conversation) == [.enrique])
    }

    @Test mutating func viewsAreRequestedAndReleasedOneByOne() {
        device.request(as: .first)
        device.request(as: .second)
        #expect(device.release(.first).isEmpty)
        #expect(device.view(.first) == nil && device.model.drawing(of: AttributionViewID.first) == nil)
        #expect(device.view(.second) != nil && device.model.drawing(of: AttributionViewID.second) != nil)
        #expect(device.release(.first).ignored == [.unknownView])
    }
}
