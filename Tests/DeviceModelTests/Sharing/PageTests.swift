import Testing
import WaypostSchema
import WaypostTestSupport

/// Pages of an app's list.
@Suite struct PageTests {
    private var device = SharingDevice()
    private let urls = (1...9).map { "https://tv.example/shows/\($0)" }

    init() {
        device.shareAutomatically(with: .tv)
        for url in urls { device.receive(url) }
        device.advance(minutes: 30)
        device.pin(device.receive(urls[3], from: .sarah, in: .sarah))
        device.pin(device.receive(urls[1], from: .sarah, in: .sarah))
        device.advance(minutes: 30)
    }

    private var all: [String] {
        [2, 4, 9, 8, 7, 6, 5, 3, 1].map { "https://tv.example/shows/\($0)" }
    }

    @Test func shelfHasTheFirstItemsOfTheList() {
        let page = device.page(limit: 3)
        #expect(page.highlights.map(\.url) == Array(all[..<3]))
        #expect(page.total == 9 && page.offset == 0)
    }

    @Test(.proves("B17"), arguments: 1...10)
    func pagesCoverTheWholeList(limit: Int) {
        var urls: [String] = []
        var page = device.page(limit: limit)
        while !page.highlights.isEmpty {
            urls += page.highlights.map(\.url)
            page = device.page(from: urls.count, limit: limit)
            #expect(page.total == 9)
        }
        #expect(urls == all)
    }

    @Test func everyPageEqualsThatPartOfTheList() {
        for offset in 0...10 {
            for limit in 0...10 {
                let page = device.page(from: offset, limit: limit)
                #expect(page.highlights.map(\.url) == Array(all.dropFirst(offset).prefix(limit)), "\(offset), \(limit)")
                #expect(page.offset == offset && page.curated)
            }
        }
    }

    @Test func pageIsInOrderWithoutACuratedItem() {
        var device = SharingDevice()
        device.shareAutomatically(with: .tv)
        let messages = urls.map { device.receive($0) }
        device.pin(messages[3])
        device.pin(messages[1])
        #expect(!device.page().curated)
        let all = device.shelf()
        #expect(all.prefix(2) == self.all.prefix(2))
        for offset in 0...10 {
            for limit in 0...3 {
                let page = device.page(from: offset, limit: limit)
                #expect(page.highlights.map(\.url) == Array(all.dropFirst(offset).prefix(limit)), "\(offset), \(limit)")
            }
        }
    }

    @Test(arguments: [(-5, 2, 2), (9, 5, 0), (1_000_000, 5, 0), (0, -1, 0), (.max, 5, 0)])
    func numbersOutOfRangeAreNotAnError(offset: Int, limit: Int, count: Int) {
        let page = device.page(from: offset, limit: limit)
        #expect(page.highlights.count == count)
        #expect(page.offset == max(0, offset))
        #expect(page.total == 9)
    }

    @Test func limitCanBeAnyNumber() async {
        await #expect(processExitsWith: .success) {
            var device = SharingDevice()
            device.pin(device.receive(Link.show))
            // Once before anything is curated, and once after it.
            precondition(device.page(limit: .max).highlights.count == 1)
            device.advance(minutes: 20)
            precondition(device.page(from: 1, limit: .max).highlights.isEmpty)
        }
    }

    @Test func reportHasTheSamePageWithItsPositions() throws {
        let report = try #require(device.report(from: 2, limit: 4))
        #expect(report.items.map(\.highlight) == device.page(from: 2, limit: 4).highlights)
        #expect(report.items.map(\.rank.position) == [2, 3, 4, 5])
        #expect(report.total == 9 && report.curated && report.state == .ready)
        #expect(device.report(on: "com.example.absent") == nil)
    }
}
