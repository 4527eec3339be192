import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The requirements that an app must meet before it has links from Messages.
@Suite struct AdoptionTests {
    /// The parts that an app has adopted, and the gate that stops its link.
    struct Stage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var domains: [String] = []
        var file: String?
        var capability = false
        var stopsAt: SurfacingGate?
    }

    private static let file = AssociationText.offering("/shows/*", to: .tv)

    private static let stages = [
        Stage(testDescription: "nothing", stopsAt: .capability),
        Stage(testDescription: "only the capability", file: file, capability: true, stopsAt: .associatedDomain),
        Stage(testDescription: "only the entitlement", domains: ["applinks:tv.example"], stopsAt: .capability),
        Stage(
            testDescription: "the capability and the entitlement",
            domains: ["applinks:tv.example"],
            capability: true,
            stopsAt: .associationFile
        ),
        Stage(
            testDescription: "only universal links",
            domains: ["applinks:tv.example"],
            file: file,
            stopsAt: .capability
        ),
        Stage(testDescription: "everything", domains: ["applinks:tv.example"], file: file, capability: true),
    ]

    @Test(.proves("B66", "B70"), arguments: stages)
    func appNeedsUniversalLinksAndTheCapability(_ stage: Stage) {
        var app = AppDescription.sharing(.tv, capability: stage.capability)
        app.associatedDomains = stage.domains
        var device = SharingDevice(DeviceModel())
        device.apply(.system(.deviceDescribed(DeviceDescription(name: "phone", apps: [app]))))
        if let file = stage.file { device.fetch(file, of: "tv.example") }
        device.apply(.sharing(.contactChanged(.enrique)))
        device.pin(device.receive(Link.show))
        #expect(device.explanation(of: Link.show).decidedBy == stage.stopsAt)
        #expect(device.shelf() == (stage.stopsAt == nil ? [Link.show] : []))
    }

    @Test(
        .proves("B4"),
        arguments: ["com.example.tv", "org.third-party.Reader", "dev.somebody.app"] as [BundleIdentifier]
    )
    func anyAppThatAdoptsSharedWithYouHasItsLinks(_ app: BundleIdentifier) {
        var device = SharingDevice(apps: [.sharing(app, "applinks:reader.example")])
        device.fetch(AssociationText.offering("/articles/*", to: app), of: "reader.example")
        device.shareAutomatically(with: app)
        device.receive("https://reader.example/articles/1")
        #expect(device.shelf(of: app) == ["https://reader.example/articles/1"])
    }

    @Test(.proves("B63", "B72"))
    func appHasOnlyLinksOfItsOwnDomains() {
        var device = SharingDevice()
        device.shareAutomatically(with: .tv, .music)
        device.receive("\(Link.show) and \(Link.playlist) and https://elsewhere.example/1")
        #expect(device.shelf(of: .tv) == [Link.show])
        #expect(device.shelf(of: .music) == [Link.playlist])
        #expect(device.error(for: Link.playlist, of: .tv)?.reason == .notAssociated)
        #expect(device.updates.filter { $0.app == .tv }.flatMap(\.changes).map(\.highlight.url) == [Link.show])
    }

    @Test func linkThatTwoAppsHandleIsInBothLists() {
        let guide: BundleIdentifier = "com.example.guide"
        var device = SharingDevice(apps: [.tv, .sharing(guide, "applinks:*.example")])
        device.fetch(AssociationText.offering("/shows/*", to: .tv, guide), of: "tv.example")
        device.fetch(AssociationText.offering("/shows/*", to: .tv, guide), of: "example")
        device.shareAutomatically(with: .tv, guide)
        device.receive(Link.show)
        #expect(device.shelf(of: .tv) == [Link.show])
        #expect(device.shelf(of: guide) == [Link.show])
    }
}
