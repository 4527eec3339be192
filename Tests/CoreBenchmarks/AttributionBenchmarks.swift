import Attribution
import WaypostSchema

/// The work of a device for each attribution view that it draws.
enum AttributionBenchmarks {
    static func all() -> [Benchmark] {
        let content = AttributionContent(link, in: .english)
        let layout = AttributionLayout(
            content,
            AttributionPreferences(width: 180),
            preferredContentSizeCategory: .large
        )
        let drawing = AttributionDrawing(content: content, layout: layout)
        return [
            Benchmark(name: "attribution: contents of five") {
                AttributionContent(link, in: .english).people.count
            },
            Benchmark(name: "attribution: layout, truncated") {
                AttributionLayout(
                    content,
                    AttributionPreferences(width: 180),
                    preferredContentSizeCategory: .large
                ).avatars.count
            },
            Benchmark(name: "attribution: SVG") { drawing.svg().utf8.count },
        ]
    }

    private static let link: SharedLink = {
        let names = ["Enrique", "Sarah", "Johannes", "Ольга", "さくら"]
        let people = names.enumerated().map { index, name in
            let handle = Handle(rawValue: "person-\(index)@town.example")
            let id = ContactID(rawValue: "card-\(index)")
            return Person(handle: handle, contact: Contact(id: id, givenName: name, handles: [handle]))
        }
        let conversation = SharedConversation(
            id: "club",
            participants: people,
            sharers: people.enumerated().map { index, person in
                Sharer(person: person, sharedAt: Timestamp(milliseconds: 1_000 - index))
            }
        )
        return SharedLink(url: "https://tv.example/films/1919", isPinned: true, conversations: [conversation])
    }()
}
