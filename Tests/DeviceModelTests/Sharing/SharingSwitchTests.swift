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
        device.receive("\(Link.show) \(Link.playlist)", from: .enrique, in: .enrique)
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
    }

    @Test(.proves("B44")) mutating func automaticSharingMakesFurtherLinksAvailable() {
        device.shareAutomatically(with: .tv)
        #expect(device.shelf() == [Link.otherShow, Link.show])
        device.receive(Link.thirdShow)
        #expect(device.shelf() == [Link.thirdShow, Link.otherShow, Link.show])
        #expect(device.shelf(of: .music).isEmpty)
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
