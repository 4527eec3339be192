import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// Taps on Show More of an app's shelf.
@Suite struct ShowMoreTapTests {
    private var device: SharingDevice

    init() {
        var app = AppDescription.tv
        app.scenes = [SceneSession(persistentIdentifier: "main", state: .background)]
        device = SharingDevice(apps: [app])
        device.shareAutomatically(with: .tv)
        device.receive((1...6).map { "https://tv.example/shows/\($0)" }.joined(separator: " "))
    }

    private mutating func tap(after count: Int? = nil) -> [DeviceEffect] {
        device.apply(.attribution(.showMoreTapped(.tv, after: count)))
    }

    @Test(.proves("B17")) mutating func appShowsAllAfterATap() {
        #expect(device.model.shelfReport(on: .tv, from: 0, limit: 0)?.showsAll == nil)
        let effects = tap()
        #expect(effects == [.attribution(.showMoreTapped(.tv))])
        #expect(effects.map { $0.appEvent(for: .tv) } == [.showMoreTapped])
        #expect(effects.map { $0.appEvent(for: .music) } == [nil])
        #expect(device.model.showsAllItems(of: .tv))
        #expect(device.model.shelfReport(on: .tv, from: 0, limit: 0)?.showsAll == true)
        #expect(device.seen == ["com.example.tv/main"])
    }

    @Test mutating func tapOnWhatIsNotShownIsIgnored() {
        let effects = tap(after: 6)
        #expect(effects.ignored == [.notPresented])
        #expect(!device.model.showsAllItems(of: .tv))
        let first = tap(after: 3)
        #expect(first.ignored.isEmpty)
        let second = tap(after: 3)
        #expect(second.ignored == [.notPresented])
        let unknown = device.apply(.attribution(.showMoreTapped("com.example.none", after: nil)))
        #expect(unknown.ignored == [.unknownApp])
    }

    @Test mutating func lockedDeviceShowsNothing() {
        device.apply(.setting(.lockSet(isOn: true)))
        let effects = tap()
        #expect(effects.ignored == [.locked])
    }

    @Test(arguments: [.appForceQuit(.tv), .appInstalled(.tv), .deviceRestored(snapshot: "expanded")] as [SystemEvent])
    mutating func shelfIsShortAgainWhenTheAppEnds(_ event: SystemEvent) {
        _ = tap()
        device.apply(.system(.snapshotTaken("expanded")))
        #expect(device.model.showsAllItems(of: .tv))
        device.apply(.system(event))
        #expect(!device.model.showsAllItems(of: .tv))
    }
}
