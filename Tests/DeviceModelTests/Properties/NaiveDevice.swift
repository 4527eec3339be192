import WaypostSchema

/// The events of a device as plain facts; everything else is recomputed from them for each query.
struct NaiveDevice {
    struct SentMessage {
        let message: Message
        let sentAt: Int
        let arrival: Int
        var text: String
        var changedAt: Int
        var links: [SampleLink]

        /// The numbers of the events with which the message got the words of its text that are links.
        var arrivals: [String: Int]
    }

    struct PinFact {
        var key: ContentKey
        let message: MessageID
        let conversation: ConversationID
        let number: Int
        let at: Int
    }

    struct View {
        let key: ContentKey
        let isDetail: Bool
        let since: Int
    }

    struct AppFacts {
        var description: AppDescription
        var views: [AttributionViewID: View] = [:]
        var feedback: [ContentKey: NaiveFeedback] = [:]

        /// Moves feedback to another link, unless that link already has feedback.
        mutating func moveWhatWasTold(of old: ContentKey, to new: ContentKey) {
            views = views.mapValues { $0.key == old ? View(key: new, isDetail: $0.isDetail, since: $0.since) : $0 }
            let moved = feedback.removeValue(forKey: old)
            feedback[new] = feedback[new] ?? moved
        }
    }

    var clock = 0
    var number = 0
    var isAlways = false
    var own: Set<String> = []
    var apps: [BundleIdentifier: AppFacts] = [:]
    var asked: Set<String> = []
    var files: [String: SampleFile] = [:]
    var contacts: [ContactID: Set<String>] = [:]
    var declared: [ConversationID: [String]] = [:]
    var heard: [ConversationID: Set<String>] = [:]
    var known: Set<ConversationID> = []
    var messages: [MessageID: SentMessage] = [:]
    var deleted: Set<MessageID> = []
    var resolutions: [ContentKey: SampleLink] = [:]
    var pins: [PinFact] = []
    var removals: [ContentKey: Int] = [:]
    var off: [SharingScope: Int] = [:]
    var automatic: [BundleIdentifier: Int] = [:]

    /// Returns the link of a URL after following all its resolutions.
    func link(_ url: String) -> SampleLink? {
        var link = SampleLink.named(url)
        while let next = link.flatMap({ resolutions[$0.key] }) { link = next }
        return link
    }

    /// Returns the links of a text that is separated by spaces, the first one for each content.
    func links(in text: String) -> [SampleLink] {
        text.split(separator: " ").compactMap { link(String($0)) }.reduce(into: []) { links, link in
            if !links.contains(where: { $0.key == link.key }) { links.append(link) }
        }
    }

    /// Returns the numbers of the events with which a message got the links of a text.
    ///
    /// A link that the previous text had keeps its number.
    func arrivals(in text: String, after previous: SentMessage? = nil) -> [String: Int] {
        let words = text.split(separator: " ").map(String.init).filter { link($0) != nil }
        let numbers = words.map { word in
            previous.flatMap { message in link(word).flatMap { arrival(of: $0.key, in: message) } } ?? number
        }
        return Dictionary(zip(words, numbers)) { first, _ in first }
    }

    /// Returns the number of the event with which a message got a link.
    func arrival(of key: ContentKey, in message: SentMessage) -> Int? {
        let word = message.text.split(separator: " ").map(String.init).first { link($0)?.key == key }
        return word.flatMap { message.arrivals[$0] }
    }

    mutating func pass(to now: Timestamp) {
        clock = max(clock, now.rawValue)
    }
}

/// The user's interactions with an item.
struct NaiveFeedback {
    var impressions: [Int] = []
    var dwell = 0
    var isStarted = false
    var hasInteraction = false
    var isFinished = false

    var points: Int {
        let ignored = max(-1_500, -250 * max(0, impressions.count - 2))
        if isFinished || dwell >= 30_000 { return ignored - 4_000 }
        return ignored + (isStarted ? 500 : 0) + (hasInteraction ? 585 : 0)
    }

    mutating func see(_ view: NaiveDevice.View, until now: Int) {
        if view.isDetail {
            dwell += now - view.since
        } else if now - view.since >= 1_000, impressions.last.map({ view.since - $0 >= 600_000 }) ?? true {
            impressions.append(view.since)
        }
    }
}

/// Returns the form of a handle for comparison, for the few spellings in the histories.
func plainHandle(_ handle: Handle) -> String {
    handle.rawValue.contains("@") ? handle.rawValue.lowercased() : handle.rawValue.filter { $0.isNumber || $0 == "+" }
}
