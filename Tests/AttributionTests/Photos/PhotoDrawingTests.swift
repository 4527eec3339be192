import Foundation
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

    /// Returns the attributes of the elements with a name: `image` defines a photograph, and `use` shows it.
    private static func attributes(of name: String = "use", in svg: String) throws -> [[String: String]] {
        try ParsedXML(svg).elements.filter { $0.name == name }.map(\.attributes)
    }

    @Test(.proves("B20")) func attributionViewShowsPhotographsAndMonogramsOtherwise() throws {
        let drawing = AttributionDrawing.of([Self.person("Enrique"), Self.person("Sarah", photo: nil)])
        let images = try Self.attributes(of: "image", in: drawing.svg())
        #expect(images.map { $0["href"] } == ["data:image/png;base64,\(Self.photo)"])
        let frame = try #require(drawing.layout.avatars.first?.frame)
        let uses = try Self.attributes(in: drawing.svg())
        #expect(uses.count == 1 && uses.first?["x"] == "\(frame.x)" && uses.first?["width"] == "\(frame.width)")
        let symbol = try #require(try Self.attributes(of: "symbol", in: drawing.svg()).first?["id"])
        #expect(uses.first?["href"] == "#\(symbol)")
        #expect(images.first?["clip-path"]?.hasPrefix("url(#part-") == true)
        #expect(images.first?["preserveAspectRatio"] == "xMidYMid slice")
        let texts = try ParsedXML(drawing.svg()).elements.filter { $0.name == "text" }.map(\.text)
        #expect(texts.first == "S")
    }

    /// A shelf of a hundred links from one contact has the photograph once.
    @Test func pictureHasThePhotographOnce() throws {
        let attribution = AttributionDrawing.of([Self.person("Enrique")]).content
        let cards = (1...100).map { number in
            ShelfCard(url: "https://clown.example/\(number)", preview: nil, attribution: attribution)
        }
        let svg = ShelfDrawing(ShelfContent(cards, ShowMore(items: 100, after: 100), in: .english)).svg()
        #expect(svg.components(separatedBy: Self.photo).count == 2)
        #expect(try Self.attributes(in: svg).count == 100)
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
        #expect(try Self.attributes(in: svg).isEmpty)
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
            let image = try #require(try Self.attributes(in: svg).first)
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
        #expect(try Self.attributes(in: svg).count == 1)
        #expect(!svg.contains(">E<"))
    }
}
