import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The lookup of a highlight by its URL, and the errors of a lookup.
@Suite struct HighlightLookupTests {
    private var device: SharingDevice

    init() {
        self.init(pinnedIsAlwaysAvailable: true)
    }

    private init(pinnedIsAlwaysAvailable: Bool) {
        device = SharingDevice(pinnedIsAlwaysAvailable: pinnedIsAlwaysAvailable)
        device.pin(device.receive("\(Link.show)?utm_source=share"))
    }

    @Test(
        .proves("B76"),
        arguments: [
            Link.show, "\(Link.show)?utm_source=share", "\(Link.show)/", "HTTP://TV.EXAMPLE:80/shows/lasso?fbclid=1",
        ]
    )
    func anySpellingOfTheURLFindsTheHighlightWithTheSentURL(_ url: String) throws {
        let highlight = try #require(device.highlight(for: url))
        #expect([highlight] == device.page().highlights)
        #expect(highlight.url == "\(Link.show)?utm_source=share")
        #expect(
            device.model.linkDecisions(on: highlight.url).filter(\.matched).map(\.app) == ["ABCDE12345.com.example.tv"]
        )
    }

    /// The events before a lookup, and its error.
    struct Refusal: Sendable, CustomTestStringConvertible {
        var reason: HighlightError.Reason
        var code: HighlightError.Code = .accessDenied
        var url = Link.show
        var app = BundleIdentifier.tv
        var events: [DeviceEvent] = []
        var testDescription: String { "\(reason)" }
    }

    private static let refusals = [
        Refusal(reason: .notAWebURL, code: .invalidURL, url: "mailto:sam@example.com"),
        Refusal(reason: .notAWebURL, code: .invalidURL, url: "tv.example/shows/lasso"),
        Refusal(reason: .notAWebURL, code: .invalidURL, url: "", app: "com.example.absent"),
        Refusal(reason: .notInstalled, app: "com.example.absent"),
        Refusal(reason: .notInstalled, events: [.system(.appRemoved(.tv))]),
        Refusal(
            reason: .noCapability,
            events: [.system(.appInstalled(.sharing(.tv, "applinks:tv.example", capability: false)))]
        ),
        Refusal(
            reason: .notLoaded,
            code: .internalError,
            events: [.system(.appInstalled(.sharing(.tv, "applinks:tv.example", "applinks:new.example")))]
        ),
        Refusal(reason: .notAssociated, url: Link.playlist),
        Refusal(reason: .notAssociated, url: "https://tv.example/films/heat"),
        Refusal(reason: .notAssociated, app: .music),
        Refusal(reason: .sharingIsOff, events: [.sharing(.sharingSet(.everywhere, isOn: false))]),
        Refusal(reason: .sharingIsOff, events: [.sharing(.sharingSet(.app(.tv), isOn: false))]),
        Refusal(reason: .noHighlight, url: Link.otherShow),
        Refusal(reason: .noHighlight, events: [.sharing(.linkRemoved(url: Link.show))]),
        Refusal(reason: .noHighlight, events: [.sharing(.sharingSet(.conversation(.enrique), isOn: false))]),
        Refusal(reason: .noHighlight, events: [.sharing(.conversationDeleted(.enrique))]),
    ]

    @Test(arguments: refusals)
    mutating func refusalHasThePlatformsCodeAndAReason(_ refusal: Refusal) throws {
        self = Self(pinnedIsAlwaysAvailable: false)
        for event in refusal.events { device.apply(event) }
        let error = try #require(device.error(for: refusal.url, of: refusal.app))
        #expect(error.code == refusal.code)
        #expect(error.reason == refusal.reason)
        #expect(!error.message.isEmpty)
    }

    @Test func everyReasonHasACase() {
        #expect(Set(Self.refusals.map(\.reason)) == Set(HighlightError.Reason.allCases))
    }

    @Test mutating func refusalDoesNotRevealWhetherALinkWasSent() {
        device.receive(Link.otherShow)
        let sent = device.error(for: Link.otherShow)
        let neverSent = device.error(for: Link.thirdShow)
        #expect(sent?.code == neverSent?.code && sent?.reason == neverSent?.reason)
    }

    @Test mutating func shortLinkFindsTheHighlightOfItsTarget() {
        device.apply(.sharing(.linkResolved(url: "https://short.example/a", target: Link.show)))
        #expect(device.highlight(for: "https://short.example/a") == device.page().highlights.first)
    }
}
