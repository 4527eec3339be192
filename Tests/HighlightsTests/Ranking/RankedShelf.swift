import Consent
import Highlights
import UniversalLinks
import WaypostSchema

/// An app's list for the tests of ranking, with items by name, ages and the user's actions.
struct RankedShelf {
    static let app: BundleIdentifier = "com.example.tv"

    /// The start time; shared items were sent before it.
    static let start = Timestamp(milliseconds: 1_790_000_000_000)

    private(set) var device: SharedWithYou
    private(set) var now = Self.start
    private var events = 0

    init(_ rules: RankingRules = RankingRules()) {
        device = SharedWithYou(ranking: rules)
        _ = device.advanceTime(to: now)
        let association = LinkAssociation(app: "ABCDE12345.com.example.tv", entries: ["applinks:tv.example"])
        _ = device.install(SharingApp(bundleIdentifier: Self.app, hasCapability: true, association: association))
        var record = AssociationRecord(domain: "tv.example", source: "tv.json")
        let file = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.tv"],"components":[{"/":"/*"}]}]}}"#
        record.recordFetch(.success(Array(file.utf8)), from: "tv.json", at: now)
        var records = AssociationRecords()
        let request = AssociationRequest(domain: "tv.example", isDevelopment: false)
        records[request] = record
        _ = device.setRecords(records, changed: request)
        for number in 1...6 {
            apply(
                .contactChanged(
                    Contact(id: ContactID(rawValue: "contact-\(number)"), handles: [Self.handle(number)])
                )
            )
        }
        apply(.automaticSharingSet(Self.app, isOn: true))
    }

    private static func handle(_ number: Int) -> Handle {
        Handle(rawValue: "person-\(number)@example.com")
    }

    static func url(_ name: String) -> String {
        "https://tv.example/\(name)"
    }

    // MARK: Actions

    mutating func apply(_ event: SharingEvent) {
        events += 1
        let moment = EventMoment(at: now, eventNumber: events)
        change { device throws(IgnoredEvent) in try device.apply(event, at: moment) }
    }

    private mutating func change(_ change: (inout SharedWithYou) throws(IgnoredEvent) -> [DeviceEffect]) {
        do throws(IgnoredEvent) {
            _ = try change(&device)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Shares an item `ago` milliseconds in the past, by this many contacts in one conversation each.
    mutating func share(_ name: String, ago: Int, by people: Int = 1) {
        for number in 1...people {
            let message = Message(
                id: MessageID(rawValue: "\(name)-\(number)"),
                conversation: ConversationID(rawValue: "conversation-\(number)"),
                sender: Self.handle(number),
                text: Self.url(name),
                sentAt: Timestamp(milliseconds: now.rawValue - ago)
            )
            apply(.messageReceived(message))
        }
    }

    mutating func setOwnHandles(_ handles: [Handle]) {
        _ = device.setOwnHandles(handles)
    }

    mutating func pin(_ name: String) {
        apply(.linkPinned(MessageID(rawValue: "\(name)-1"), url: nil))
    }

    mutating func interact(_ name: String) {
        apply(.highlightInteracted(Self.app, url: Self.url(name)))
    }

    mutating func finish(_ name: String) {
        apply(.contentFinished(Self.app, url: Self.url(name)))
    }

    mutating func pass(_ milliseconds: Int) {
        now = Timestamp(milliseconds: now.rawValue + milliseconds)
        _ = device.advanceTime(to: now)
    }

    /// Puts an attribution view of an item into a window.
    mutating func attach(_ name: String, _ context: DisplayContext) {
        change { device throws(IgnoredEvent) in
            try device.attach("view", of: Self.app, to: Self.url(name), context)
        }
    }

    /// Shows an attribution view of an item in a window for this many milliseconds.
    mutating func show(_ name: String, _ context: DisplayContext = .summary, milliseconds: Int) {
        attach(name, context)
        pass(milliseconds)
        change { device throws(IgnoredEvent) in try device.detach("view", of: Self.app) }
    }

    /// Shows an item in summary this many times, each long enough after the previous one to count.
    mutating func showOften(_ name: String, times: Int) {
        for _ in 0..<times {
            show(name, milliseconds: 1_000)
            pass(10 * .minute)
        }
    }

    // MARK: Results

    /// The names of the items, in order.
    var order: [String] {
        device.page(of: Self.app, limit: 1_000).highlights.map { String($0.url.dropFirst(Self.url("").count)) }
    }

    var report: ShelfReport? {
        device.report(on: Self.app, limit: 1_000)
    }

    func rank(_ name: String) -> HighlightRank? {
        report?.items.first { $0.highlight.url == Self.url(name) }?.rank
    }

    func points(_ name: String, _ signal: ScoreTerm.Signal) -> Int? {
        rank(name)?.terms.first { $0.signal == signal }?.points
    }
}

extension Int {
    /// The number of milliseconds.
    static let minute = 60_000
    static let hour = 60 * minute
    static let day = 24 * hour

    /// Slightly more than one point of recency: a thousand points are 72 hours.
    static let slack = 5 * minute
}
