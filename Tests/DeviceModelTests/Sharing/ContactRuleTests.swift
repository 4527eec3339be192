import Testing
import WaypostSchema
import WaypostTestSupport

/// A link surfaces only if somebody in its conversation is a contact.
@Suite struct ContactRuleTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
    }

    @Test(.proves("B31")) mutating func linkFromAContactSurfaces() {
        device.receive(Link.show, from: .sarah, in: .sarah)
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func linkFromAStrangerDoesNotSurface() {
        device.receive(Link.show, from: .stranger, in: .stranger)
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .contact)
    }

    @Test mutating func replyToAStrangerDoesNotMakeThemAContact() {
        device.receive(Link.show, from: .stranger, in: .stranger)
        device.receive("Thank you", from: nil, in: .stranger)
        #expect(device.shelf().isEmpty)
    }

    @Test(.proves("B42")) mutating func pinDoesNotReplaceAContactUnlessTheDeviceIsSetSo() {
        device.pin(device.receive(Link.show, from: .stranger, in: .stranger))
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .contact)
        let explanation = device.verdict(at: .contact, on: Link.show)?.explanation
        #expect(explanation == "\(Handle.stranger) is not a contact; a pin does not replace a contact")
        var described = DeviceDescription(name: "phone", apps: [.tv, .music])
        described.pinnedNeedsNoContact = true
        device.apply(.system(.deviceDescribed(described)))
        #expect(device.shelf() == [Link.show])
        #expect(device.explanation(of: Link.show).isSurfaced)
        let reason = "but the link is pinned there, which is enough on this device (pinnedNeedsNoContact)"
        #expect(device.verdict(at: .contact, on: Link.show)?.explanation.hasSuffix(reason) == true)
        // Only the conversation of the pin needs no contact.
        device.receive(Link.show, from: "+14085550198", in: .group)
        #expect(device.item(Link.show)?.conversations == [.stranger])
        // Such a pin brings the offer, too.
        device.shareAutomatically(with: .tv, isOn: false)
        let other = device.receive(Link.otherShow, from: .stranger, in: .stranger)
        #expect(device.pin(other).offers.map(\.isOffered) == [true])
        described.pinnedNeedsNoContact = nil
        device.apply(.system(.deviceDescribed(described)))
        #expect(device.shelf().isEmpty)
    }

    @Test(.proves("B32")) mutating func linkFromAStrangerInAGroupWithAContactSurfaces() {
        device.converse("+14085550198", .stranger, .sarah)
        device.receive(Link.show, from: .stranger, in: .group)
        #expect(device.shelf() == [Link.show])
    }

    @Test(.proves("B33")) mutating func linkInAGroupWithoutAContactDoesNotSurface() {
        device.converse("+14085550198", .stranger)
        device.receive(Link.show, from: .stranger, in: .group)
        #expect(device.shelf().isEmpty)
    }

    @Test(.proves("B33")) mutating func linksOfAGroupSurfaceWhenAContactJoins() {
        device.converse("+14085550198", .stranger)
        device.receive(Link.show, from: .stranger, in: .group)
        device.converse("+14085550198", .stranger, .enrique)
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func linksOfAGroupLeaveWithItsOnlyContact() {
        device.converse(.stranger, .enrique)
        device.receive(Link.show, from: .stranger, in: .group)
        device.converse(.stranger)
        #expect(device.shelf().isEmpty)
    }

    @Test(.proves("B33")) mutating func linkSurfacesWhenItsSenderBecomesAContact() {
        device.receive(Link.show, from: .stranger, in: .stranger)
        let effects = device.apply(.sharing(.contactChanged(Contact(id: "new", handles: [.stranger]))))
        #expect(effects.updates.map(\.total) == [1])
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func linkLeavesWhenItsSenderIsNoLongerAContact() {
        device.receive(Link.show)
        device.apply(.sharing(.contactRemoved("card-1")))
        #expect(device.shelf().isEmpty)
        #expect(device.apply(.sharing(.contactRemoved("card-1"))).ignored == [.unknownContact])
    }

    @Test mutating func linkStaysWhileAnotherConversationHasAContact() {
        device.receive(Link.show, from: .enrique, in: .enrique)
        device.receive(Link.show, from: .sarah, in: .sarah)
        device.apply(.sharing(.contactRemoved("card-2")))
        #expect(device.item(Link.show)?.conversations == [.enrique])
    }

    @Test mutating func contactIsRecognizedByEachHandle() {
        device.apply(.sharing(.contactChanged(Contact(id: "two", handles: [.stranger, "sam@example.com"]))))
        device.receive(Link.show, from: .stranger, in: .stranger)
        device.receive(Link.otherShow, from: "sam@example.com", in: "with-sam")
        #expect(Set(device.shelf()) == [Link.show, Link.otherShow])
    }

    @Test mutating func handleRemovedFromTheCardIsNoLongerAContact() {
        device.apply(.sharing(.contactChanged(Contact(id: "two", handles: [.stranger, "sam@example.com"]))))
        device.receive(Link.show, from: .stranger, in: .stranger)
        device.apply(.sharing(.contactChanged(Contact(id: "two", handles: ["sam@example.com"]))))
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func handleOnTwoCardsIsAContactUntilBothAreRemoved() {
        for id in ["a", "b"] as [ContactID] {
            device.apply(.sharing(.contactChanged(Contact(id: id, handles: [.stranger]))))
        }
        device.receive(Link.show, from: .stranger, in: .stranger)
        device.apply(.sharing(.contactRemoved("a")))
        #expect(device.shelf() == [Link.show])
        device.apply(.sharing(.contactRemoved("b")))
        #expect(device.shelf().isEmpty)
    }

    @Test(
        arguments: [
            ("+14085550142", "+1 (408) 555-0142"), ("+1.408.555.0142", "+1/408/5550142"),
            ("Sam@Example.COM", "sam@example.com"),
            ("BANK", "bank"),
        ] as [(Handle, Handle)]
    )
    mutating func punctuationAndCaseOfAHandleAreIgnored(_ sent: Handle, _ onTheCard: Handle) {
        device.apply(.sharing(.contactChanged(Contact(id: "sam", handles: [onTheCard]))))
        device.receive(Link.show, from: sent, in: "with-sam")
        #expect(device.shelf() == [Link.show])
    }

    @Test(arguments: [("4085550142", "+14085550142"), ("sam.x@example.com", "samx@example.com")] as [(Handle, Handle)])
    mutating func otherDifferencesMakeDistinctHandles(_ sent: Handle, _ onTheCard: Handle) {
        device.apply(.sharing(.contactChanged(Contact(id: "sam", handles: [onTheCard]))))
        device.receive(Link.show, from: sent, in: "with-sam")
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func conversationWithoutParticipantsHasNoContact() {
        device.converse(in: .enrique)
        device.receive(Link.show)
        #expect(device.explanation(of: Link.show).decidedBy == .contact)
    }
}
