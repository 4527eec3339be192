import DeviceModel
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// The numbers of items in the picture of a shelf.
@Suite struct ShelfPictureTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
    }

    private mutating func receive(_ numbers: ClosedRange<Int>) {
        for number in numbers { device.receive("https://tv.example/shows/\(number)") }
    }

    /// Returns the number of the app's previews that a picture needs, and whether it has Show More.
    private func shelf(limit: String? = nil, isExpanded: Bool = false) throws -> (count: Int, hasMore: Bool) {
        var options = PictureOptions()
        if let limit { try options.set(.limit, to: limit) }
        let picture = device.model.shelfPicture(of: .tv, options, isExpanded: isExpanded)
        let text = picture.terminalText
        let count = text.split(separator: "/shows/", omittingEmptySubsequences: false).count - 1
        return (count, text.contains("Show More"))
    }

    @Test(.proves("B17")) mutating func shelfShowsAllAfterATapOrIfAsked() throws {
        receive(1...7)
        #expect(try shelf() == (5, true))
        #expect(try shelf(limit: "2") == (2, true))
        #expect(try shelf(limit: "7") == (7, false))
        #expect(try shelf(limit: "2", isExpanded: true) == (7, false))
        device.apply(.attribution(.showMoreTapped(.tv, after: nil)))
        #expect(try shelf() == (7, false))
        #expect(try shelf(limit: "2") == (7, false))
    }

    @Test mutating func expandedShelfHasAtMostAHundredItems() throws {
        receive(1...120)
        device.apply(.attribution(.showMoreTapped(.tv, after: nil)))
        #expect(try shelf() == (100, false))
        #expect(try shelf(isExpanded: true) == (120, false))
    }

    @Test mutating func staleLinksFollowShowMore() throws {
        receive(1...2)
        device.advance(days: 40)
        receive(3...3)
        #expect(try shelf() == (1, true))
        #expect(try shelf(isExpanded: true) == (3, false))
    }

    @Test mutating func offerThatIsNotOpenIsDrawnForAJournalOnly() throws {
        let link = PicturedLink("https://tv.example/shows/1", in: .tv)
        let drawn = try device.model.picture(.offer, of: link, PictureOptions()).svg(PictureOptions().appearance)
        let model = device.model
        let ignored = #expect(throws: IgnoredEvent.self) { try model.openOfferPicture(for: .tv, PictureOptions()) }
        #expect(ignored?.reason == .noOpenOffer)
        #expect(ignored?.explanation == model.sharing.settings.offers?.first { $0.app == .tv }?.explanation)
        device.shareAutomatically(with: .tv, isOn: false)
        device.pin(device.receive("https://tv.example/shows/1"))
        let open = try device.model.openOfferPicture(for: .tv, PictureOptions()).svg(PictureOptions().appearance)
        #expect(open == drawn)
        #expect(try device.model.presentationPicture(PictureOptions()).svg(PictureOptions().appearance) == drawn)
    }
}
