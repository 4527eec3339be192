import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Attribution

/// The photographs in avatars of attribution views, menus and notifications.
@Suite struct PhotoDrawingTests {
    private static let photo = PhotoFile.png(8, 8).base64

    private static func person(_ name: String, photo: String? = photo) -> Person {
        Person(
            handle: Handle(rawValue: "\(name)@clown.example"),
            contact: Contact(id: ContactID(rawValue: name), givenName: name, photo: photo, handles: [])
        )
    }

    private static func images(_ svg: String) throws -> [[String: String]] {
        try ParsedXML(svg).elements.filter { $0.name == "image" }.map(\.attributes)
    }

    @Test(.proves("B20")) func attributionViewShowsPhotographsAndMonogramsOtherwise() throws {
        let drawing = AttributionDrawing.of([Self.person("Enrique"), Self.person("Sarah", photo: nil)])
        let images = try Self.images(drawing.svg())
        #expect(images.map { $0["href"] } == ["data:image/png;base64,\(Self.photo)"])
        let frame = try #require(drawing.layout.avatars.first?.frame)
        #expect(images.first?["x"] == "\(frame.x)" && images.first?["width"] == "\(frame.width)")
        #expect(images.first?["clip-path"]?.hasPrefix("url(#part-") == true)
        #expect(images.first?["preserveAspectRatio"] == "xMidYMid slice")
        let texts = try ParsedXML(drawing.svg()).elements.filter { $0.name == "text" }.map(\.text)
        #expect(texts.first == "S")
    }

    /// The layout does not depend on photographs, so an app cannot measure that there is one.
    @Test func photographDoesNotChangeTheLayout() {
        let with = AttributionDrawing.of([Self.person("Enrique")])
        let without = AttributionDrawing.of([Self.person("Enrique", photo: nil)])
        #expect(with.layout.size == without.layout.size)
        #expect(with.layout.text == without.layout.text)
        #expect(with.layout.background == without.layout.background)
    }

    @Test(arguments: ["enrique.png", "https://clown.example/a.png", "PHN2Zy8+"])
    func unusablePhotographIsAMonogram(_ photo: String) throws {
        let svg = AttributionDrawing.of([Self.person("Enrique", photo: photo)]).svg()
        #expect(try Self.images(svg).isEmpty)
        #expect(svg.contains(">E<"))
    }

    @Test func menuOfConversationsShowsThePeople() throws {
        let people = [Self.person("Enrique"), Self.person("Sarah", photo: nil)]
        let conversations = people.map { person in
            SharedConversation(
                id: ConversationID(rawValue: person.handle.rawValue),
                name: nil,
                participants: [person],
                sharers: [Sharer(person: person, sharedAt: Timestamp(milliseconds: 1_000))]
            )
        }
        let link = SharedLink(url: "https://clown.example/1", isPinned: false, conversations: conversations)
        let content = AttributionContent(link, in: .english)
        let menu = content.disambiguation(app: "example.clown", url: link.url)
        let card = MenuCard(menu, people: content.peopleByConversation, in: .english)
        for direction in LayoutDirection.allCases {
            let svg = MenuCardDrawing(card, in: .english, layoutDirection: direction).svg()
            let image = try #require(try Self.images(svg).first)
            let x = try #require(image["x"].flatMap(Double.init))
            #expect((x < 100) == (direction == .leftToRight))
            #expect(svg.contains(">S<"))
            let discs = try ParsedXML(svg).elements.filter { $0.name == "circle" && $0.attributes["fill"] != nil }
            #expect(discs.count == 2)
        }
        // An action concerns nobody.
        let own = MenuCardDrawing(MenuCard(Samples.ownMenu(in: .english)), in: .english).svg()
        #expect(!own.contains("<circle"))
    }

    @Test func bannerShowsThePhotographOfTheSender() throws {
        let sender = ShownPerson(Self.person("Enrique"), named: "Enrique")
        let card = SampleNotifications.card("Hi", nil, nil, sender: sender)
        let svg = NotificationDrawing(banner: card, in: .english).svg()
        #expect(try Self.images(svg).count == 1)
        #expect(!svg.contains(">E<"))
    }
}
