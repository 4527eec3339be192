import DeviceModel
import WaypostSchema

/// Generated messages of a device: 100 contacts in 200 conversations, one message a minute, a link in one of four
/// messages.
///
/// Half of the links are new; the others were shared before.
struct MessageGenerator {
    static let tv: BundleIdentifier = "com.example.tv"

    /// A device with two apps, one of which shares automatically, and its contacts.
    static var device: DeviceModel {
        var device = DeviceModel()
        let setUp = ["tv", "music"].flatMap { name -> [DeviceEvent] in
            let app = BundleIdentifier(rawValue: "com.example.\(name)")
            let file = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.\#(app)"],"components":[{"/":"/items/*"}]}]}}"#
            let description = AppDescription(
                bundleIdentifier: app,
                applicationIdentifier: ApplicationIdentifier(rawValue: "ABCDE12345.\(app)"),
                associatedDomains: ["applinks:\(name).example"],
                sharedWithYou: true,
                scenes: []
            )
            return [
                .system(.appInstalled(description)),
                .system(.associationChecked(domain: "\(name).example", source: "file", .success(Array(file.utf8)))),
            ]
        }
        let contacts = (0..<100).map { number in
            DeviceEvent.sharing(
                .contactChanged(
                    Contact(id: ContactID(rawValue: "contact-\(number)"), handles: [Self.person(number)])
                )
            )
        }
        for event in setUp + contacts + [.sharing(.automaticSharingSet(tv, isOn: true))] {
            _ = device.apply(event, at: Timestamp(milliseconds: 0))
        }
        return device
    }

    private var state: UInt64 = 42
    private var messages = 0
    private var links = 0

    /// Returns the next message.
    mutating func next() -> JournalEntry {
        guard draw(4) == 0 else { return entry(text: "see you at the market, bring the tall ladder") }
        guard draw(2) == 0, links > 0 else { return nextWithNewLink() }
        let earlier = draw(links)
        return entry(text: "as I said: \(Self.link(earlier)) is worth it")
    }

    /// Returns a message with a link that no earlier message had.
    mutating func nextWithNewLink() -> JournalEntry {
        links += 1
        return entry(text: "have a look (\(Self.link(links - 1))), it is good")
    }

    private static func link(_ number: Int) -> String {
        "https://\(number % 2 == 0 ? "tv" : "music").example/items/\(number)?utm_source=share"
    }

    private static func person(_ number: Int) -> Handle {
        Handle(rawValue: "person-\(number)@example.com")
    }

    private mutating func entry(text: String) -> JournalEntry {
        messages += 1
        let conversation = draw(200)
        let message = Message(
            id: MessageID(rawValue: "5F1E4C2A-0000-4000-8000-\(100_000_000_000 + messages)"),
            conversation: ConversationID(rawValue: "conversation-\(conversation)"),
            sender: Self.person(conversation % 100),
            text: text
        )
        return JournalEntry(at: Timestamp(milliseconds: messages * 60_000), event: .sharing(.messageReceived(message)))
    }

    /// Returns a random number below `limit`, from a linear congruential generator (Knuth's constants), which is
    /// sufficient here.
    private mutating func draw(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
