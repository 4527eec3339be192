import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// An app's handle gives another app nothing.
@Suite struct AttributionBorderTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv, .music)
        device.receive("\(Link.show) \(Link.playlist)")
        device.request(Link.show, in: .tv, as: .first)
    }

    /// Every use of a handle by an app, or by the user in that app.
    static let uses: [@Sendable (AttributionViewID) -> DeviceEvent] = [
        { .attribution(.attributionTapped(.music, $0, nil)) },
        { .attribution(.menuItemChosen(.music, $0, "reply", nil)) },
        { .attribution(.menuItemChosen(.music, $0, "remove", nil)) },
        { .attribution(.menuItemChosen(.music, $0, "mine", nil)) },
        { .attribution(.attributionAttached(.music, $0, url: nil, nil)) },
        { .attribution(.attributionAttached(.music, $0, url: nil, .detail)) },
        { .attribution(.attributionDetached(.music, $0)) }, { .attribution(.attributionReleased(.music, $0)) },
        { .attribution(.attributionContextChanged(.music, $0, .detail)) },
    ]

    @Test(.proves("B63"), arguments: uses.indices)
    mutating func handleOfAnotherAppIsAnsweredLikeAnUnknownHandle(_ use: Int) {
        let others = ignored(Self.uses[use](.first))
        let none = ignored(Self.uses[use]("never-was"))
        #expect(others?.reason == .unknownView)
        #expect(
            others?.explanation.replacing("\(AttributionViewID.first)", with: "it")
                == none?.explanation.replacing("never-was", with: "it")
        )
        #expect(device.view(.first, of: .tv) != nil)
        #expect(device.people() == ["Enrique"])
    }

    @Test(.proves("B63"), arguments: uses.indices)
    mutating func endedHandleIsAnsweredLikeAnUnknownHandle(_ use: Int) {
        device.request(Link.playlist, in: .music, as: .second)
        device.release(.second, of: .music)
        let ended = ignored(Self.uses[use](.second))
        let none = ignored(Self.uses[use]("never-was"))
        #expect(ended?.reason == .unknownView)
        #expect(
            ended?.explanation.replacing("\(AttributionViewID.second)", with: "it")
                == none?.explanation.replacing("never-was", with: "it")
        )
    }

    private mutating func ignored(_ event: DeviceEvent) -> IgnoredEvent? {
        for case .system(.eventIgnored(let ignored)) in device.apply(event) { return ignored }
        return nil
    }

    @Test(.proves("B63")) func appHasNoViewOfAnotherApp() {
        #expect(device.view(.first, of: .music) == nil)
        #expect(device.view(.first, of: "absent") == nil)
        #expect(device.view("never-was", of: .music) == nil)
    }

    @Test(.proves("B63")) mutating func requestWithAHandleOfAnotherAppIsAnsweredLikeARequestWithANewHandle() {
        var other = device
        let same = device.request(Link.playlist, in: .music, as: .first)
        let new = other.request(Link.playlist, in: .music, as: .second)
        #expect(same.ignored.isEmpty && same.provided.map(\.size) == new.provided.map(\.size))
        #expect(device.model.requestedViews(.first).map(\.app) == [.music, .tv])
        #expect(device.view(.first, of: .tv)?.app == .tv)
        // A handle alone does not say which of the two views is meant.
        #expect(device.model.drawing(of: AttributionViewID.first) == nil)
        device.release(.first, of: .music)
        #expect(device.people() == ["Enrique"])
    }

    @Test mutating func appReceivesOnlyEffectsOfItsOwnViews() {
        device.request(Link.playlist, in: .music, as: .second)
        let tapped = device.tap(.first) + device.dismiss()
        #expect(tapped.notices.map(\.app) == [.tv, .tv])
        let larger = device.set(.accessibilityExtraLarge)
        #expect(
            larger.provided.map { "\($0.app) \($0.view)" } == [
                "\(BundleIdentifier.tv) handle-1", "\(BundleIdentifier.music) handle-2",
            ]
        )
    }

    @Test mutating func viewsOfTwoAppsWithTheSameHandleAreDistinct() {
        device.apply(.attribution(.attributionAttached(.music, .first, url: Link.playlist, .detail)))
        device.attach(.first, of: .tv)
        #expect(device.detach(.first, of: .tv).ignored.isEmpty)
        #expect(device.points(of: Link.playlist, in: .music)[.started] == 500)
        #expect(device.points(of: Link.show, in: .tv)[.started] == nil)
    }
}
