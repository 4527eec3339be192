import WaypostSchema
import WaypostTestSupport

/// A prepared device, and random events at one time that do not concern each other.
///
/// These events are left out, because by the rules their order matters:
/// - a pin, and turning sharing off for an app or in the conversation of the pin, and the removal of its link: the
///   later choice counts, but if pinned links are always available, a pin takes precedence over any *off*;
/// - feedback, and any event that may remove its item from the list before: an app can only give feedback about items
///   it has;
/// - resolving a short link, and a pin, an unpinning, a removal, a restoring or feedback of it or of its target: two
///   links become one, and undoing a choice about one of them then undoes it for both;
/// - turning automatic sharing on, and a message: only later links count, so the device is set to include earlier ones;
/// - two pins: the later one is first;
/// - two events about one card, conversation, domain or app: the later one counts.
struct IndependentEvents {
    static let now = Timestamp(milliseconds: 1_654_594_800_000)

    private(set) var preparation: [JournalEntry] = []
    private(set) var events: [DeviceEvent] = []

    private var generator: SeededGenerator

    /// Whether the TV app gives feedback; if so, no event removes its items.
    private let hasFeedback: Bool
    private let pinnedIsAlwaysAvailable: Bool

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        (hasFeedback, pinnedIsAlwaysAvailable) = (seed.isMultiple(of: 2), seed % 4 >= 2)
        prepare()
        addMessages()
        addChoices()
        addConsent()
        addPeople()
        addApps()
        if hasFeedback { addFeedback() }
    }

    // The uses of the links: 0, 1 and 3 get feedback; 2, 4 or 5 is pinned; 6, 7 and 8 are unpinned; 9 and 11 are
    // removed; 10 is restored; the others are only in messages.
    private static let fedBack = [0, 1, 3]
    private static let links = (0..<16).map { number in
        let host = number == 15 ? "kids.tv.example" : number % 3 == 2 ? "news.example" : "tv.example"
        return "https://\(host)/shows/\(number)"
    }

    private static let short = ["https://short.example/s1", "https://short.example/s2"]
    private static let tv: BundleIdentifier = "com.example.tv"
    private static let news: BundleIdentifier = "com.example.news"

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }

    private mutating func spelling(of number: Int) -> String {
        Self.links[number] + pick(["", "?utm_source=ads", "?fbclid=1", "?utm_source=ads&fbclid=2", "#:~:text=x"])
    }

    private static func sender(_ number: Int) -> Handle {
        Handle(rawValue: "s\(number)@example.com")
    }

    private static func conversation(of number: Int) -> ConversationID {
        fedBack.contains(number) ? "with-fay" : ConversationID(rawValue: "c\(number % 4)")
    }

    // MARK: Preparation

    private mutating func prepare() {
        let apps = [Self.tv, "com.example.mute"] + (Bool.random(using: &generator) ? [Self.news] : [])
        let description = DeviceDescription(
            name: "phone",
            apps: apps.map { SampleApp.versions(of: $0)[0] },
            pinnedIsAlwaysAvailable: pinnedIsAlwaysAvailable,
            automaticSharingIncludesEarlier: true
        )
        was(.system(.deviceDescribed(description)))
        was(check("tv.example", .everything))
        if Bool.random(using: &generator) { was(check("news.example", .everything)) }
        was(.sharing(.contactChanged(Contact(id: "fay", handles: ["fay@example.com"]))))
        for number in 0..<4 { was(.sharing(.contactChanged(contact(number)))) }
        was(.sharing(.automaticSharingSet(Self.tv, isOn: true)))
        was(.sharing(.sharingSet(.conversation("c1"), isOn: false)))
        was(
            .sharing(
                .conversationChanged(Conversation(id: "group", participants: [Self.sender(0), "stranger@example.com"]))
            )
        )
        for number in 0..<12 {
            let sender = Self.fedBack.contains(number) ? "fay@example.com" : Self.sender(number % 4)
            was(message("old\(number)", spelling(of: number), from: sender, in: Self.conversation(of: number)))
        }
        for (number, url) in Self.short.enumerated() {
            was(message("short\(number)", url, from: Self.sender(number), in: Self.conversation(of: number + 12)))
        }
        for number in 6...8 { was(.sharing(.linkPinned(MessageID(rawValue: "old\(number)"), url: nil))) }
        was(.sharing(.linkRemoved(url: Self.links[10])))
    }

    private mutating func was(_ event: DeviceEvent) {
        let age = 40_000_000 - preparation.count * 1_000_000
        preparation.append(JournalEntry(at: Self.now.later(by: -age), event: event))
    }

    // MARK: Events

    /// Adds messages of some conversations, several of each, no two in the same millisecond.
    private mutating func addMessages() {
        let ages = [1, 500, 59_999, 600_000, 600_001, 900_000, 7_000_000, 30_000_000, 90_000_000, 2_600_000_000]
        for (number, age) in ages.shuffled(using: &generator).enumerated() {
            let free = pick(Array(Self.links.indices).filter { !Self.fedBack.contains($0) })
            let url = Int.random(in: 0..<6, using: &generator) == 0 ? pick(Self.short) : spelling(of: free)
            let sender: Handle? = pick([nil] + (0..<6).map(Self.sender))
            let conversation: ConversationID = pick(["c0", "c1", "c2", "c3", "group", "new1", "new2"])
            let text = number % 4 == 0 ? "\(url) and \(spelling(of: 15))" : url
            let sentAt = Self.now.later(by: -age)
            events.append(message("m\(number)", text, from: sender, in: conversation, sentAt: sentAt))
        }
    }

    private mutating func addChoices() {
        for number in 6...8 { events.append(.sharing(.linkUnpinned(MessageID(rawValue: "old\(number)"), url: nil))) }
        for number in [9, 11] { events.append(.sharing(.linkRemoved(url: spelling(of: number)))) }
        events += [
            .sharing(.linkRestored(url: spelling(of: 10))),
            .sharing(.linkResolved(url: Self.short[0], target: spelling(of: 12))),
            .sharing(.linkResolved(url: Self.short[1], target: pick([Self.short[0], Self.links[12], Self.links[14]]))),
        ]
    }

    private mutating func addConsent() {
        let hasPins = pinnedIsAlwaysAvailable || Bool.random(using: &generator)
        if hasPins {
            events.append(.sharing(.linkPinned(MessageID(rawValue: "old\(pick([2, 4, 5]))"), url: nil)))
        }
        // No pinned link is in `c3`; in `c1` sharing was off.
        events += [
            .sharing(.sharingSet(.conversation("c3"), isOn: false)),
            .sharing(.sharingSet(.conversation("c1"), isOn: true)),
        ]
        events.append(.sharing(.automaticSharingSet(Self.news, isOn: true)))
        if pinnedIsAlwaysAvailable || !hasPins {
            events.append(.sharing(.sharingSet(.app(Self.news), isOn: false)))
            if !hasFeedback {
                events.append(.sharing(.sharingSet(.app(Self.tv), isOn: Bool.random(using: &generator))))
            }
        }
        guard !hasFeedback else { return }
        events.append(.sharing(.automaticSharingSet(Self.tv, isOn: false)))
        // Turning sharing off everywhere takes precedence over a pin in any order.
        if Int.random(in: 0..<6, using: &generator) == 0 {
            events.append(.sharing(.sharingSet(.everywhere, isOn: false)))
        }
    }

    private mutating func addPeople() {
        for number in [0, 1, 4] { events.append(.sharing(.contactChanged(contact(number)))) }
        events.append(.sharing(.contactRemoved("p2")))
        for id in ["group", "c2", "new1"] as [ConversationID] {
            let people = (0..<3).map { _ in Self.sender(Int.random(in: 0..<6, using: &generator)) }
            events.append(
                .sharing(.conversationChanged(Conversation(id: id, name: "Club \(id)", participants: people)))
            )
        }
    }

    private mutating func addApps() {
        events.append(.system(.appInstalled(pick(SampleApp.versions(of: Self.news)))))
        events.append(check("news.example", pick(SampleFile.allCases)))
        events.append(check("kids.tv.example", pick(SampleFile.allCases)))
        if !hasFeedback { events.append(check("tv.example", pick(SampleFile.allCases))) }
    }

    private mutating func addFeedback() {
        events += [
            .sharing(.contentFinished(Self.tv, url: spelling(of: 0))),
            .sharing(.highlightInteracted(Self.tv, url: spelling(of: 1))),
            .sharing(.contentFinished(Self.tv, url: spelling(of: 3))),
            .sharing(.highlightInteracted(Self.tv, url: spelling(of: 3))),
            .attribution(.attributionAttached(Self.tv, "view", url: spelling(of: 1), .detail)),
        ]
    }

    // MARK: Parts of events

    /// Returns a card.
    ///
    /// Two cards may share a handle.
    private mutating func contact(_ number: Int) -> Contact {
        let other = Int.random(in: 0..<6, using: &generator)
        let handles = [Self.sender(number), Self.sender(other)]
        return Contact(id: ContactID(rawValue: "p\(number)"), givenName: "Person\(other)", handles: handles)
    }

    private func message(
        _ id: String,
        _ text: String,
        from sender: Handle?,
        in conversation: ConversationID,
        sentAt: Timestamp? = nil
    ) -> DeviceEvent {
        let id = MessageID(rawValue: id)
        return .sharing(
            .messageReceived(
                Message(id: id, conversation: conversation, sender: sender, text: text, sentAt: sentAt)
            )
        )
    }

    private func check(_ domain: String, _ file: SampleFile) -> DeviceEvent {
        .system(.associationChecked(domain: domain, source: "test", .success(Array(file.text.utf8))))
    }
}
