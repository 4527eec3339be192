import Testing
import WaypostSchema

/// Apps that are installed, replaced and removed.
@Suite struct AppLifeTests {
    private var device = SharingDevice(apps: [.music])

    init() {
        device.shareAutomatically(with: .tv)
        device.pin(device.receive(Link.show))
    }

    @Test mutating func appInstalledLaterHasLinksSharedBefore() {
        #expect(device.explanation(of: Link.show).decidedBy == .appInstalled)
        let updates = device.apply(.system(.appInstalled(.tv))).updates
        #expect(updates.map(\.number) == [1])
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func removedAppHasNoHighlights() {
        device.apply(.system(.appInstalled(.tv)))
        #expect(device.apply(.system(.appRemoved(.tv))).isEmpty)
        #expect(device.page().state == .denied && device.shelf().isEmpty)
        #expect(device.error(for: Link.show)?.reason == .notInstalled)
        #expect(device.search("lasso").map(\.apps) == [[]])
        #expect(device.apply(.system(.appRemoved(.tv))).ignored == [.unknownApp])
    }

    @Test mutating func reinstalledAppHasItsLinksWithTheSameIdentifiers() throws {
        device.apply(.system(.appInstalled(.tv)))
        let before = device.page().highlights
        device.apply(.system(.appRemoved(.tv)))
        device.receive(Link.otherShow)
        device.apply(.system(.appInstalled(.tv)))
        let after = device.page().highlights
        #expect(before.map(\.url) == [Link.show])
        #expect(after.map(\.url) == [Link.show, Link.otherShow])
        #expect(after.first?.id == before.first?.id)
        #expect(device.updates.last?.number == 1)
    }

    @Test mutating func removingAnAppRemovesItsFeedback() {
        device.apply(.system(.appInstalled(.tv)))
        device.apply(.sharing(.contentFinished(.tv, url: Link.show)))
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
        device.apply(.system(.appRemoved(.tv)))
        device.apply(.system(.appInstalled(.tv)))
        #expect(device.points(of: Link.show)[.consumed] == nil)
    }

    @Test mutating func nextVersionWithoutTheCapabilityHasNoHighlights() {
        device.apply(.system(.appInstalled(.tv)))
        let updates = device.apply(.system(.appInstalled(.sharing(.tv, "applinks:tv.example", capability: false))))
            .updates
        #expect(updates.flatMap(\.changes).map(\.change) == [.removed])
        #expect(device.page().state == .denied)
        device.apply(.system(.appInstalled(.tv)))
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func nextVersionForAnotherDomainHasItsLinks() {
        device.apply(.system(.appInstalled(.tv)))
        device.fetch(AssociationText.offering("/playlists/*", to: .music, .tv), of: "music.example")
        device.receive(Link.playlist)
        device.apply(.system(.appInstalled(.sharing(.tv, "applinks:music.example"))))
        #expect(device.shelf() == [Link.playlist])
    }

    @Test mutating func nextVersionThatNeedsAnUnfetchedFileIsNotLoaded() {
        device.apply(.system(.appInstalled(.tv)))
        let updates = device.apply(
            .system(.appInstalled(.sharing(.tv, "applinks:tv.example", "applinks:new.example")))
        ).updates
        #expect(updates.map(\.state) == [.notLoaded] && updates.map(\.total) == [0])
        #expect(updates.flatMap(\.changes).map(\.change) == [.removed])
        #expect(device.shelf().isEmpty && device.search("lasso").map(\.apps) == [[]])
        device.fail(of: "new.example")
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func descriptionWithoutAnAppRemovesIt() {
        device.apply(.system(.appInstalled(.tv)))
        device.apply(.system(.deviceDescribed(DeviceDescription(name: "phone", apps: [.music]))))
        #expect(device.explanation(of: Link.show).decidedBy == .appInstalled)
    }

    @Test mutating func appRemovedByADescriptionGetsNoUpdate() {
        device.apply(.system(.appInstalled(.tv)))
        device.turnOff(.app(.tv))
        let described = DeviceDescription(name: "phone", apps: [.music], pinnedIsAlwaysAvailable: true)
        #expect(device.apply(.system(.deviceDescribed(described))).updates.allSatisfy { $0.app != .tv })
    }
}
