import WaypostSchema
import WaypostTestSupport

/// A random history of a device with few apps, people, conversations and links, so that events concern each other.
struct SharingHistory {
    private(set) var entries: [JournalEntry] = []

    var generator: SeededGenerator
    private var now = 1_654_594_800_000
    var messageCount = 0
    private var installed: [BundleIdentifier: AppDescription] = [:]

    /// Whether apps request attribution views and have scenes.
    let hasAttribution: Bool

    /// The view that an app requested last.
    var view: (app: BundleIdentifier, id: AttributionViewID) = ("com.example.tv", "h1")

    init(seed: UInt64, count: Int? = nil, hasAttribution: Bool = false) {
        generator = SeededGenerator(seed: seed)
        self.hasAttribution = hasAttribution
        let count = count ?? Int.random(in: 30...200, using: &generator)
        begin()
        while entries.count < count { step() }
    }

    private static let steps = [0, 0, 0, 500, 5_000, 40_000, 300_000, 3_600_000, 90_000_000, 500_000_000]
    static let conversations: [ConversationID] = ["c1", "c2", "c3", "c4"]
    static let people: [Handle] = [
        "+1 (408) 555-0101", "+14085550101", "Sarah@Example.com", "sarah@example.com", "+1 212 555 0102",
        "mei@example.com",
        "+44 20 5550 0103", "stranger@example.com",
    ]

    /// The handles of the attribution views that apps request.
    static let handles: [AttributionViewID] = ["h1", "h2", "h3", "h4", "h5"]

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &generator) < percent
    }

    mutating func add(_ event: DeviceEvent) {
        entries.append(JournalEntry(at: Timestamp(milliseconds: now), event: event))
    }

    /// Adds mostly the events without which nothing surfaces, each of them only in some histories.
    private mutating func begin() {
        guard !hasAttribution else { return beginWithAll() }
        add(describe())
        for domain in ["tv.example", "news.example"] where chance(90) { add(check(domain)) }
        for _ in 0..<4 where chance(80) { add(.sharing(.contactChanged(contact()))) }
        for app in SampleApp.identifiers where chance(80) { add(.sharing(.automaticSharingSet(app, isOn: true))) }
    }

    private mutating func step() {
        now += pick(Self.steps)
        // Sometimes the clock is set back, but the device's time never goes back.
        if chance(2) { now -= 7_200_000 }
        if hasAttribution && chance(40) { return addAttribution() }
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<30: add(.sharing(.messageReceived(message())))
        case 30..<36: add(.sharing(.messageEdited(messageID(), text: text())))
        case 36..<40: add(.sharing(.messageDeleted(messageID())))
        case 40..<55: addChoice()
        case 55..<60: addSharing()
        case 60..<80: addView()
        case 80..<86: addPeople()
        case 86..<92: addApp()
        default: add(.system(.timePassed))
        }
    }

    private mutating func addChoice() {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...3: add(.sharing(.linkPinned(messageID(), url: chance(50) ? url() : nil)))
        case 4: add(.sharing(.linkUnpinned(messageID(), url: chance(50) ? url() : nil)))
        case 5: add(chance(50) ? .sharing(.linkRemoved(url: url())) : .sharing(.linkRestored(url: url())))
        case 6: add(.sharing(.linkRestored(url: url())))
        default:
            let short = pick(chance(85) ? SampleLink.short : SampleLink.contents)
            let target = pick(chance(70) ? SampleLink.contents : SampleLink.short)
            add(.sharing(.linkResolved(url: pick(short).url, target: pick(target).url)))
        }
    }

    private mutating func addSharing() {
        let app = pick(SampleApp.identifiers)
        let scopes: [SharingScope] = [.everywhere, .app(app), .conversation(pick(Self.conversations))]
        switch Int.random(in: 0..<6, using: &generator) {
        case 0...3: add(.sharing(.sharingSet(pick(scopes), isOn: chance(75))))
        case 4: add(.sharing(.automaticSharingSet(app, isOn: chance(75))))
        default: add(.sharing(.automaticSharingOfferAnswered(app, pick([.accepted, .declined, .ignored]))))
        }
    }

    private mutating func addView() {
        let app = pick(
            ["com.example.tv", "com.example.tv", "com.example.news", "com.example.mute"] as [BundleIdentifier]
        )
        let view = AttributionViewID(rawValue: "v\(Int.random(in: 0..<3, using: &generator))")
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...3: add(.attribution(.attributionAttached(app, view, url: url(), chance(60) ? .summary : .detail)))
        case 4...6: add(.attribution(.attributionDetached(app, view)))
        case 7: add(.attribution(.attributionContextChanged(app, view, .detail)))
        case 8: add(.sharing(.highlightInteracted(app, url: url())))
        default: add(.sharing(.contentFinished(app, url: url())))
        }
    }

    private mutating func addPeople() {
        let contacts: [ContactID] = ["p1", "p2", "p3", "p4"]
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...3: add(.sharing(.contactChanged(contact())))
        case 4: add(.sharing(.contactRemoved(pick(contacts))))
        case 5...6: add(.sharing(.conversationChanged(conversation())))
        default: add(.sharing(.conversationDeleted(pick(Self.conversations))))
        }
    }

    private mutating func addApp() {
        let app = pick(SampleApp.identifiers)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...2: add(.system(.appInstalled(withScenes(pick(SampleApp.versions(of: app))))))
        case 3: add(.system(.appRemoved(app)))
        case 4: add(describe())
        default: add(check(pick(["tv.example", "news.example", "kids.tv.example"])))
        }
    }

    private mutating func describe() -> DeviceEvent {
        var apps: [AppDescription] = []
        for app in SampleApp.identifiers where chance(90) {
            apps.append(
                withScenes(chance(70) ? SampleApp.versions(of: app)[0] : pick(SampleApp.versions(of: app)))
            )
        }
        var device = DeviceDescription(name: "phone", apps: apps, pinnedIsAlwaysAvailable: chance(30))
        if chance(30) { device.handle = pick(Self.people) }
        if chance(10) { device.handles = [pick(Self.people)] }
        guard hasAttribution else { return .system(.deviceDescribed(device)) }
        device.language = pick(["en", "ja", "ko", "zh-Hans"])
        device.preferredContentSizeCategory = pick(ContentSizeCategory.allCases)
        return .system(.deviceDescribed(device))
    }

    private mutating func check(_ domain: String) -> DeviceEvent {
        guard chance(85) else {
            let failure = AssociationFailure(code: .timedOut, message: "no answer came")
            return .system(.associationChecked(domain: domain, source: "test", .failure(failure)))
        }
        let file = chance(60) ? SampleFile.everything : pick(SampleFile.allCases)
        return .system(.associationChecked(domain: domain, source: "test", .success(Array(file.text.utf8))))
    }

    private mutating func contact() -> Contact {
        let id: ContactID = pick(["p1", "p2", "p3", "p4"])
        let handles = (0..<Int.random(in: 0...5, using: &generator)).map { _ in pick(Self.people) }
        let name = hasAttribution ? pick(["Person", "Wilhelmina", "さくら", ""]) : "Person"
        return Contact(id: id, givenName: name, handles: handles)
    }

    private mutating func conversation() -> Conversation {
        let people = (0..<Int.random(in: 0...3, using: &generator)).map { _ in pick(Self.people) }
        return Conversation(id: pick(Self.conversations), participants: people)
    }

    mutating func message() -> Message {
        if chance(95) { messageCount += 1 }
        let age = pick([0, 1, 60_000, 3_600_000, 100_000_000, 3_000_000_000, -50_000])
        return Message(
            id: MessageID(rawValue: "m\(messageCount)"),
            conversation: pick(Self.conversations),
            sender: chance(85) ? pick(Self.people) : nil,
            text: text(),
            sentAt: chance(50) ? Timestamp(milliseconds: now - age) : nil
        )
    }

    private mutating func messageID() -> MessageID {
        MessageID(rawValue: "m\(max(0, messageCount - Int.random(in: 0..<10, using: &generator)))")
    }

    mutating func text() -> String {
        let words = (0..<pick([0, 1, 1, 1, 2, 3])).map { _ in chance(80) ? url() : "hello" }
        return words.joined(separator: " ")
    }

    mutating func url() -> String {
        pick(chance(85) ? pick(SampleLink.contents) : pick(SampleLink.short)).url
    }
}
