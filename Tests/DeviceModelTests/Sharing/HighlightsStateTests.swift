import Testing
import WaypostSchema

/// The states that Waypost distinguishes, all of which are an empty list on the platform.
@Suite struct HighlightsStateTests {
    private var device = SharingDevice()

    private func expect(
        _ state: HighlightsState,
        of app: BundleIdentifier = .tv,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let page = device.page(of: app)
        #expect(page.state == state, sourceLocation: sourceLocation)
        #expect(page.highlights.isEmpty == (state != .ready), sourceLocation: sourceLocation)
        #expect((page.total == 0) == (state != .ready), sourceLocation: sourceLocation)
        if state != .ready {
            #expect(!page.curated && page.curationGap == .empty, sourceLocation: sourceLocation)
        }
    }

    @Test func nothingSharedIsEmpty() {
        expect(.empty)
    }

    @Test mutating func somethingSharedIsReady() {
        device.pin(device.receive(Link.show))
        expect(.ready)
        expect(.empty, of: .music)
    }

    @Test mutating func everythingRemovedIsEmpty() {
        device.pin(device.receive(Link.show))
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        expect(.empty)
    }

    @Test mutating func noAutomaticSharingIsEmptyAndNotDenied() {
        device.receive(Link.show)
        expect(.empty)
        device.shareAutomatically(with: .tv, isOn: false)
        expect(.empty)
    }

    @Test mutating func sharingOffForTheConversationIsEmptyAndNotDenied() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
        device.turnOff(.conversation(.enrique))
        expect(.empty)
    }

    @Test func unaskedDomainIsNotLoaded() {
        var fresh = Self()
        fresh.device = SharingDevice(apps: [
            .tv, .sharing("com.example.new", "applinks:tv.example", "applinks:new.example"),
        ])
        fresh.expect(.notLoaded, of: "com.example.new")
        fresh.device.fail(of: "new.example")
        fresh.expect(.empty, of: "com.example.new")
    }

    @Test mutating func linkSharedBeforeItsFileIsFetchedSurfacesAfterwards() {
        device.apply(.system(.appInstalled(.sharing("com.example.new", "applinks:new.example"))))
        device.pin(device.receive("https://new.example/1"))
        expect(.notLoaded, of: "com.example.new")
        device.fetch(AssociationText.offering("*", to: "com.example.new"), of: "new.example")
        expect(.ready, of: "com.example.new")
    }

    @Test mutating func failedFetchIsLoadedAndEmpty() {
        device.apply(.system(.appInstalled(.sharing("com.example.new", "applinks:new.example"))))
        device.fail(of: "new.example")
        expect(.empty, of: "com.example.new")
    }

    @Test mutating func appWithoutDomainsIsEmpty() {
        device.apply(.system(.appInstalled(.sharing("com.example.new"))))
        expect(.empty, of: "com.example.new")
    }

    @Test mutating func appWithoutTheCapabilityIsDenied() {
        device.apply(.system(.appInstalled(.sharing("com.example.new", "applinks:new.example", capability: false))))
        expect(.denied, of: "com.example.new")
        device.fail(of: "new.example")
        expect(.denied, of: "com.example.new")
    }

    @Test func unknownAppIsDenied() {
        expect(.denied, of: "com.example.absent")
    }

    @Test(arguments: [.everywhere, .app(.tv)] as [SharingScope])
    mutating func sharingOffIsDenied(_ scope: SharingScope) {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
        device.turnOff(scope)
        expect(.denied)
        device.turnOn(scope)
        expect(.ready)
    }

    @Test mutating func laterPinIsReadyAlthoughSharingIsOffForTheApp() {
        device.turnOff(.app(.tv))
        expect(.denied)
        device.pin(device.receive(Link.show))
        expect(.ready)
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        expect(.denied)
    }

    @Test mutating func sharingOffEverywhereWithoutLinksIsDenied() {
        device.turnOff(.everywhere)
        expect(.denied)
        expect(.denied, of: .music)
        #expect(device.updates.suffix(2).map(\.state) == [.denied, .denied])
        #expect(device.updates.suffix(2).map(\.changes.count) == [0, 0])
    }
}
