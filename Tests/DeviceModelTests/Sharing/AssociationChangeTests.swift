import Testing
import WaypostSchema
import WaypostTestSupport

/// Changes of association files while links are shown.
@Suite struct AssociationChangeTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive("\(Link.show) https://tv.example/films/heat")
    }

    @Test(.proves("B63")) mutating func revocationTakesEffectAtOnce() {
        let updates = device.fetch(AssociationText.revoked, of: "tv.example").updates
        #expect(updates.flatMap(\.changes).map(\.change) == [.removed])
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .associationRule)
        #expect(device.error(for: Link.show)?.reason == .notAssociated)
    }

    @Test mutating func revocationInTheSameMillisecondTakesEffect() throws {
        let events = [AssociationText.offering("/shows/*", to: .tv), AssociationText.revoked].map { file in
            DeviceEvent.system(.associationChecked(domain: "tv.example", source: "x", .success(Array(file.utf8))))
        }
        device.pass(1_000)
        for event in events { device.take(JournalEntry(at: device.now, event: event)) }
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func newAssociationTakesEffectAtTheNextCheck() {
        device.fetch(AssociationText.offering("/films/*", to: .tv), of: "tv.example")
        #expect(device.shelf() == ["https://tv.example/films/heat"])
    }

    @Test mutating func failedFetchKeepsTheLastValidFile() {
        #expect(device.fail(of: "tv.example").updates.isEmpty)
        #expect(device.fetch("not JSON", of: "tv.example").updates.isEmpty)
        #expect(device.shelf() == [Link.show])
        #expect(device.explanation(of: Link.show).isSurfaced)
    }

    @Test mutating func unchangedFileSendsNoUpdate() {
        #expect(device.fetch(AssociationText.offering("/shows/*", to: .tv), of: "tv.example").updates.isEmpty)
    }

    @Test mutating func fileOfAnotherDomainChangesNothing() {
        #expect(device.fetch(AssociationText.revoked, of: "music.example").updates.isEmpty)
        #expect(device.fetch(AssociationText.revoked, of: "elsewhere.example").updates.isEmpty)
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func pinOutlivesARevocation() {
        device.pin(device.receive(Link.show))
        device.fetch(AssociationText.revoked, of: "tv.example")
        device.fetch(AssociationText.offering("/shows/*", to: .tv), of: "tv.example")
        #expect(device.item(Link.show)?.isPinned == true)
    }
}
