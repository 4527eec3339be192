import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The photographs of contacts on a device.
@Suite struct ContactPhotoEventTests {
    /// One orange pixel.
    private static let photo =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGN40WAAAAPsAZmp2ArEAAAAAElFTkSuQmCC"

    private static func enrique(_ photo: String?) -> Contact {
        Contact(id: "card-1", givenName: "Enrique", photo: photo, handles: [.enrique])
    }

    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
    }

    private var avatars: [String?]? {
        device.model.drawing(of: Link.show, in: .tv)?.content.people.map(\.photo)
    }

    @Test(.proves("B20")) mutating func avatarShowsThePhotographOnTheCard() {
        #expect(avatars == [nil])
        device.apply(.sharing(.contactChanged(Self.enrique(Self.photo))))
        #expect(avatars == [Self.photo])
        // The journal has the photograph, so a replay draws the same.
        var replayed = DeviceModel()
        for entry in device.journal { _ = replayed.apply(entry.event, at: entry.at) }
        let picture = device.model.drawing(of: Link.show, in: .tv)?.svg()
        #expect(picture?.contains(Self.photo) == true)
        #expect(replayed.drawing(of: Link.show, in: .tv)?.svg() == picture)
        device.apply(.sharing(.contactChanged(Self.enrique(nil))))
        #expect(avatars == [nil])
    }

    @Test(arguments: ["enrique.png", "PHN2Zy8+", "https://clown.example/a.png"])
    mutating func unusablePhotographIsRefused(_ photo: String) {
        let before = device.model.description
        let effects = device.apply(.sharing(.contactChanged(Self.enrique(photo))))
        #expect(effects.ignored == [.unusableDescription])
        #expect(device.model.description == before)
        let description = DeviceDescription(name: "phone", apps: [], contacts: [Self.enrique(photo)])
        let error = #expect(throws: DescriptionError.self) { try DeviceModel(description) }
        #expect(error?.description.contains("contact card-1: the photo") == true)
    }
}
