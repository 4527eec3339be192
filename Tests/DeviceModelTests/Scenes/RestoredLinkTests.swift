import DeviceModel
import Testing
import WaypostSchema

/// Association files are not part of a snapshot: restoring a device keeps them.
@Suite struct RestoredLinkTests {
    private static let files = [
        ("music.example", AssociationText.offering("/playlists/*", to: .music)),
        ("tv.example", AssociationText.offering("/shows/*", to: .tv)),
    ]

    /// Returns a device with links for two apps, whose snapshot was taken after some of the domains had been fetched.
    private static func device(asking domains: Set<String>) -> SharingDevice {
        var device = SharingDevice(DeviceModel())
        device.apply(.system(.deviceDescribed(DeviceDescription(name: "phone", apps: [.tv, .music]))))
        device.apply(.sharing(.contactChanged(.enrique)))
        device.pin(device.receive(Link.show))
        device.pin(device.receive(Link.playlist))
        for (domain, file) in files where domains.contains(domain) { device.fetch(file, of: domain) }
        device.apply(.system(.snapshotTaken("before")))
        for (domain, file) in files where !domains.contains(domain) { device.fetch(file, of: domain) }
        return device
    }

    @Test(arguments: [[], ["music.example"], ["tv.example"], ["music.example", "tv.example"]] as [Set<String>])
    func associationFilesAreKept(_ domains: Set<String>) {
        var device = Self.device(asking: domains)
        let files = device.model.associationFiles
        #expect(files.map(\.domain) == ["music.example", "tv.example"])
        device.apply(.system(.deviceRestored(snapshot: "before")))
        #expect(device.model.associationFiles == files)
        #expect(device.model.linkDecisions(on: Link.show).map(\.reason) == [.noEntry, .matched])
        #expect(device.model.linkDecisions(on: Link.playlist).map(\.reason) == [.matched, .noEntry])
    }

    @Test(arguments: [[], ["music.example"], ["tv.example"], ["music.example", "tv.example"]] as [Set<String>])
    func appsHaveTheLinksThatTheirFilesOfferThem(_ domains: Set<String>) {
        var device = Self.device(asking: domains)
        #expect(device.shelf(of: .tv) == [Link.show])
        #expect(device.shelf(of: .music) == [Link.playlist])
        device.apply(.system(.deviceRestored(snapshot: "before")))
        #expect(device.shelf(of: .tv) == [Link.show])
        #expect(device.shelf(of: .music) == [Link.playlist])
    }

    @Test func revokedLinkStaysRevokedAfterARestore() {
        var device = Self.device(asking: ["music.example", "tv.example"])
        device.fetch(AssociationText.revoked, of: "tv.example")
        device.fetch(AssociationText.revoked, of: "music.example")
        device.apply(.system(.deviceRestored(snapshot: "before")))
        #expect(device.shelf(of: .tv).isEmpty)
        #expect(device.shelf(of: .music).isEmpty)
    }

    @Test func domainsAreNotAskedAgainAfterAReset() {
        var device = Self.device(asking: [])
        device.apply(.system(.deviceRestored(snapshot: nil)))
        #expect(device.model.filesToCheck(at: device.now).isEmpty)
        #expect(device.shelf(of: .tv).isEmpty)
        device.apply(.sharing(.contactChanged(.enrique)))
        device.pin(device.receive(Link.show))
        #expect(device.shelf(of: .tv) == [Link.show])
    }
}
