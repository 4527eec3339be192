import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// Automatic sharing, and switching sharing off and on.
@Suite struct SharingSwitchTests {
    private var device: SharingDevice

    init() {
        self.init(pinnedIsAlwaysAvailable: true)
    }

    private init(pinnedIsAlwaysAvailable: Bool) {
        device = SharingDevice(pinnedIsAlwaysAvailable: pinnedIsAlwaysAvailable)
        receiveLinks()
    }

    private mutating func receiveLinks() {
        device.receive("\(Link.show) \(Link.playlist)", from: .enrique, in: .enrique)
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
    }

    @Test(.proves("B44")) mutating func automaticSharingMakesFurtherLinksAvailable() {
        device.shareAutomatically(with: .tv)
        #expect(device.shelf().isEmpty)
        device.receive(Link.thirdShow)
        #expect(device.shelf() == [Link.thirdShow])
        #expect(device.shelf(of: .music).isEmpty)
        #expect(device.verdict(at: .permission, on: Link.show)?.rule == .beforeAutomaticSharing)
        // Sent again, an earlier link is a further one.
        device.receive(Link.show)
        #expect(Set(device.shelf()) == [Link.thirdShow, Link.show])
    }

    @Test mutating func earlierLinksAreAvailableIfTheDeviceIsSetSo() {
        device.shareAutomatically(with: .tv)
        var described = DeviceDescription(name: "phone", apps: [.tv, .music])
        described.automaticSharingIncludesEarlier = true
        device.apply(.system(.deviceDescribed(described)))
        #expect(device.shelf() == [Link.otherShow, Link.show])
        #expect(device.model.description.automaticSharingIncludesEarlier == true)
        described.automaticSharingIncludesEarlier = nil
        device.apply(.system(.deviceDescribed(described)))
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func linkThatAnEditAddsIsAFurtherLink() {
        let message = device.receive(Link.thirdShow)
        device.shareAutomatically(with: .tv)
        device.edit(message, to: "\(Link.thirdShow) \(Link.show)")
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func turningItOnAgainWhileItIsOnChangesNothing() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.thirdShow)
        device.shareAutomatically(with: .tv)
        #expect(device.shelf() == [Link.thirdShow])
        device.shareAutomatically(with: .tv, isOn: false)
        device.shareAutomatically(with: .tv)
        #expect(device.shelf().isEmpty)
    }

    /// The scope that is turned off, and the links that the apps still have.
    static let switches: [(SharingScope, tv: [String], music: [String])] = [
        (.everywhere, [], []),
        (.app(.tv), [], [Link.playlist]),
        (.conversation(.enrique), [Link.otherShow], []),
        (.conversation(.group), [Link.otherShow, Link.show], [Link.playlist]),
    ]

    @Test(arguments: switches)
    mutating func turningSharingOffRemovesLinksAtOnceAndTurningItOnRestoresThem(
        _ scope: SharingScope,
        _ tv: [String],
        _ music: [String]
    ) {
        device.shareAutomatically(with: .tv, .music)
        receiveLinks()
        device.turnOff(scope)
        #expect(device.shelf(of: .tv) == tv)
        #expect(device.shelf(of: .music) == music)
        device.turnOn(scope)
        #expect(device.shelf(of: .tv) == [Link.otherShow, Link.show])
        #expect(device.shelf(of: .music) == [Link.playlist])
    }

    @Test mutating func pinAfterOffForTheAppSurfacesOnlyThatLink() {
        self = Self(pinnedIsAlwaysAvailable: false)
        device.turnOff(.app(.tv))
        device.shareAutomatically(with: .tv)
        device.pin(device.receive(Link.thirdShow))
        #expect(device.shelf() == [Link.thirdShow])
        #expect(device.page().state == .ready)
        device.turnOff(.app(.tv))
        #expect(device.shelf().isEmpty && device.page().state == .denied)
    }

    @Test mutating func pinAfterOffForTheConversationSurfacesOnlyThatLink() {
        device.shareAutomatically(with: .tv)
        receiveLinks()
        device.turnOff(.conversation(.enrique))
        device.pin(device.receive(Link.thirdShow, from: .enrique, in: .enrique))
        #expect(Set(device.shelf()) == [Link.thirdShow, Link.otherShow])
    }

    @Test mutating func pinDoesNotOverrideOffEverywhereInTheStricterReading() {
        self = Self(pinnedIsAlwaysAvailable: false)
        device.turnOff(.everywhere)
        device.pin(device.receive(Link.thirdShow))
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.thirdShow).decidedBy == .sharingEverywhere)
    }
}
