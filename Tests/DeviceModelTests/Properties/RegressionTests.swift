import DeviceModel
import Highlights
import Testing
import WaypostSchema

/// Bugs that random histories and attacks found.
@Suite struct RegressionTests {
    private let now = Timestamp(milliseconds: 1_654_594_800_000)
    private let app: BundleIdentifier = "com.example.tv"

    @Test func fileInTheSameMillisecondIsUsed() {
        var device = device(file: .nothing)
        device.take(message(1, "https://tv.example/shows/lasso"))
        device.take(check(.everything))
        #expect(device.sharing.page(of: app, limit: 10).total == 1)
    }

    @Test func removedLinkStaysRemovedWhenItsTargetIsResolvedToo() {
        var device = device()
        device.take(message(1, "https://short.example/s"))
        device.take(.sharing(.linkResolved(url: "https://short.example/s", target: "https://tv.example/t")))
        device.take(.sharing(.linkRemoved(url: "https://short.example/s")))
        device.take(.sharing(.linkResolved(url: "https://tv.example/t", target: "https://tv.example/shows/lasso")))
        #expect(device.sharing.page(of: app, limit: 10).highlights.isEmpty)
    }

    @Test func pinnedLinkStaysPinnedWhenItsTargetIsResolvedToo() {
        var device = device()
        device.take(message(1, "https://short.example/s"))
        device.take(.sharing(.linkResolved(url: "https://short.example/s", target: "https://tv.example/t")))
        device.take(.sharing(.linkPinned("m1", url: nil)))
        device.take(.sharing(.linkResolved(url: "https://tv.example/t", target: "https://tv.example/shows/lasso")))
        #expect(device.sharing.report(on: app, limit: 10)?.items.map(\.isPinned) == [true])
    }

    @Test func explanationOfALinkFromManyConversationsMatchesTheList() {
        var device = device()
        device.take(message(0, "https://tv.example/shows/lasso"))
        for number in 1...20 {
            let sender = Handle(rawValue: "stranger\(number)@example.com")
            device.take(message(number, "https://tv.example/shows/lasso", from: sender))
        }
        #expect(device.sharing.page(of: app, limit: 10).total == 1)
        #expect(device.sharing.explanation(of: "https://tv.example/shows/lasso", for: app).isSurfaced)
    }

    @Test func searchNamesEveryAppThatHasTheFoundLink() {
        var device = device()
        device.take(
            .system(.associationChecked(domain: "tv.example", source: "test", .success(Array(newsWithoutAds.utf8))))
        )
        device.take(.system(.appInstalled(SampleApp.versions(of: "com.example.news")[0])))
        device.take(.system(.associationChecked(domain: "news.example", source: "test", .success([]))))
        device.take(.sharing(.automaticSharingSet("com.example.news", isOn: true)))
        device.take(message(1, "see https://tv.example/films/heat"))
        device.take(message(2, "see https://tv.example/films/heat?utm_source=ads for the birthday"))
        // One app has only the first message, the other has both.
        #expect(device.sharing.search("birthday", limit: 10).map(\.apps) == [["com.example.news", "com.example.tv"]])
        #expect(device.sharing.search("see", limit: 10).map(\.apps) == [["com.example.news", "com.example.tv"]])
    }

    @Test func anyLimitIsAccepted() async {
        await #expect(processExitsWith: .success) {
            let tests = RegressionTests()
            var device = tests.device()
            device.take(tests.message(1, "https://tv.example/shows/lasso"))
            #expect(device.sharing.page(of: "com.example.tv", limit: .max).total == 1)
            #expect(device.sharing.page(of: "com.example.tv", from: .max, limit: .max).highlights.isEmpty)
        }
    }

    // MARK: Fixtures

    private let newsWithoutAds = #"""
        {"applinks":{"details":[
          {"appIDs":["ABCDE12345.com.example.news"],"components":[{"?":{"utm_source":"ads"},"exclude":true},{"/":"*"}]},
          {"appIDs":["ABCDE12345.com.example.tv"],"components":[{"/":"*"}]}
        ]}}
        """#

    private func device(file: SampleFile = .everything) -> DeviceModel {
        var device = DeviceModel()
        let description = DeviceDescription(name: "phone", apps: [SampleApp.versions(of: app)[1]])
        let contact = Contact(id: "mei", handles: ["mei@example.com"])
        for event in [
            .system(.deviceDescribed(description)), check(file), .sharing(.contactChanged(contact)),
            .sharing(.automaticSharingSet(app, isOn: true)),
        ] {
            _ = device.apply(event, at: now)
        }
        return device
    }

    private func check(_ file: SampleFile) -> DeviceEvent {
        .system(.associationChecked(domain: "tv.example", source: "test", .success(Array(file.text.utf8))))
    }

    private func message(_ number: Int, _ text: String, from sender: Handle = "mei@example.com") -> DeviceEvent {
        let id = MessageID(rawValue: "m\(number)")
        let conversation = ConversationID(rawValue: "c\(number)")
        return .sharing(.messageReceived(Message(id: id, conversation: conversation, sender: sender, text: text)))
    }
}
