import WaypostSchema

/// A link that passed every gate.
struct NaiveItem: Equatable {
    let key: ContentKey
    let url: String
    let sharedAt: Int
    let messages: [MessageID]
    let conversations: [ConversationID]
    let pin: Int?
    let score: Int

    /// The number of the event that brought the latest message, and the place of the link in it.
    let arrival: [Int]

    let opensAt: Int
    let isStale: Bool
    let isEligible: Bool

    static func isBetter(_ left: Self, _ right: Self) -> Bool {
        let numbers = left.numbers([left.score, left.sharedAt])
        return right.numbers([right.score, right.sharedAt]).lexicographicallyPrecedes(numbers)
    }

    static func isPinnedLater(_ left: Self, _ right: Self) -> Bool {
        right.numbers([right.pin ?? 0]).lexicographicallyPrecedes(left.numbers([left.pin ?? 0]))
    }

    static func isSharedLater(_ left: Self, _ right: Self) -> Bool {
        right.numbers([right.sharedAt]).lexicographicallyPrecedes(left.numbers([left.sharedAt]))
    }

    /// Returns numbers, and after them the order of arrival.
    private func numbers(_ numbers: [Int]) -> [Int] {
        numbers + arrival
    }
}

extension NaiveDevice {
    /// Returns the list of an app in order, whether or not the app may see it yet.
    func items(of app: BundleIdentifier) -> [NaiveItem] {
        guard let facts = apps[app], facts.description.sharedWithYou else { return [] }
        let keys = Set(messages.values.flatMap { $0.links.map(\.key) })
        let items = keys.compactMap { item($0, facts) }
        let first = items.filter(\.isEligible).min(by: NaiveItem.isBetter)
        let others = items.filter { $0 != first }
        let pinned = others.filter { $0.pin != nil }.sorted(by: NaiveItem.isPinnedLater)
        let recent = others.filter { $0.pin == nil }.sorted(by: NaiveItem.isSharedLater)
        return [first].compactMap(\.self) + pinned + recent
    }

    func isLoaded(_ app: BundleIdentifier) -> Bool {
        apps[app]?.description.neededDomains.allSatisfy(asked.contains) == true
    }

    /// Returns the list that an app may see, and its state.
    func view(of app: BundleIdentifier) -> NaiveView {
        guard let facts = apps[app], facts.description.sharedWithYou, off[.everywhere] == nil || isAlways else {
            return NaiveView(state: .denied, items: [])
        }
        guard isLoaded(app) else { return NaiveView(state: .notLoaded, items: []) }
        let items = items(of: app)
        if !items.isEmpty { return NaiveView(state: .ready, items: items) }
        return NaiveView(state: off[.everywhere] == nil && off[.app(app)] == nil ? .empty : .denied, items: [])
    }

    private func item(_ key: ContentKey, _ facts: AppFacts) -> NaiveItem? {
        let shares = latestShares(of: key).filter { message, link in
            let conversation = message.message.conversation
            return hasContact(conversation) && allows(key, facts.description.bundleIdentifier, in: message)
                && offers(link, facts.description)
        }
        guard let latest = shares.first else { return nil }
        let conversations = shares.map(\.0.message.conversation)
        let pin = pin(of: key)
        let there = sharesOfOthers(of: key).map(\.0).filter { conversations.contains($0.message.conversation) }
        let sharers = Set(shares.compactMap { contact(of: $0.0.message.sender.map(plainHandle) ?? "") }).count
        let opensAt = (there.map(\.changedAt).min() ?? 0) + 600_000
        let isStale = pin == nil && clock >= latest.0.sentAt + 2_592_000_000
        return NaiveItem(
            key: key,
            url: latest.1.url,
            sharedAt: latest.0.sentAt,
            messages: shares.map(\.0.message.id),
            conversations: conversations,
            pin: pin,
            score: latest.0.sentAt * 1_000 / 259_200_000 + [0, 0, 1_000, 1_585, 2_000, 2_322][min(sharers, 5)]
                + (pin == nil ? 0 : 1_000) + (facts.feedback[key]?.points ?? 0),
            arrival: Self.arrival(latest),
            opensAt: opensAt,
            isStale: isStale,
            isEligible: clock >= opensAt && !isStale
        )
    }

    /// Returns the latest message by others with a link in each conversation, the latest first.
    private func latestShares(of key: ContentKey) -> [(SentMessage, SampleLink)] {
        sharesOfOthers(of: key).reduce(into: []) { latest, share in
            if !latest.contains(where: { $0.0.message.conversation == share.0.message.conversation }) {
                latest.append(share)
            }
        }
    }

    /// Returns the messages by others with a link, the latest first.
    private func sharesOfOthers(of key: ContentKey) -> [(SentMessage, SampleLink)] {
        messages.values.filter { $0.message.sender.map { !own.contains(plainHandle($0)) } ?? false }
            .compactMap { message in message.links.first { $0.key == key }.map { (message, $0) } }
            .sorted { left, right in (left.0.sentAt, left.0.arrival) > (right.0.sentAt, right.0.arrival) }
    }

    private static func arrival(_ share: (SentMessage, SampleLink)) -> [Int] {
        [share.0.arrival, share.0.links.firstIndex { $0.key == share.1.key } ?? 0]
    }

    private func pin(of key: ContentKey) -> Int? {
        pins.filter { $0.key == key }.map(\.number).max()
    }

    /// Returns the links from others that a search without words finds.
    ///
    /// Pinned links come first, by their pins; then those that an app has, then the others, by their shares.
    func found(_ views: [BundleIdentifier: NaiveView]) -> [NaiveFinding] {
        let keys = Set(messages.values.flatMap { $0.links.map(\.key) })
        let findings = keys.compactMap { key -> NaiveFinding? in
            guard let latest = sharesOfOthers(of: key).first else { return nil }
            let apps = views.filter { $0.value.items.contains { $0.key == key } }.keys
                .sorted { $0.rawValue < $1.rawValue }
            let pin = pin(of: key)
            let group = pin != nil ? 2 : apps.isEmpty ? 0 : 1
            let numbers = [group, pin ?? 0, latest.0.sentAt] + Self.arrival(latest)
            return NaiveFinding(url: latest.1.url, apps: apps, isPinned: pin != nil, numbers: numbers)
        }
        return findings.sorted { $1.numbers.lexicographicallyPrecedes($0.numbers) }
    }

    private func contact(of handle: String) -> ContactID? {
        contacts.filter { $0.value.contains(handle) }.keys.min { $0.rawValue < $1.rawValue }
    }

    private func hasContact(_ conversation: ConversationID) -> Bool {
        (declared[conversation] ?? Array(heard[conversation] ?? []))
            .contains { !own.contains($0) && contact(of: $0) != nil }
    }

    private func offers(_ link: SampleLink, _ app: AppDescription) -> Bool {
        app.domain(for: link.host).flatMap { files[$0] }?.offers(link, to: app.bundleIdentifier) == true
    }

    private func allows(_ key: ContentKey, _ app: BundleIdentifier, in message: SentMessage) -> Bool {
        let conversation = message.message.conversation
        let anywhere = pins.filter { $0.key == key }.map(\.number).max()
        let here = pins.filter { $0.key == key && $0.conversation == conversation }.map(\.number).max()
        let isFurther = automatic[app].map { $0 < arrival(of: key, in: message) ?? 0 } ?? false
        guard anywhere != nil || isFurther, (removals[key] ?? -1) < (anywhere ?? 0) else { return false }
        if off[.everywhere] != nil, !(isAlways && anywhere != nil) { return false }
        if let off = off[.app(app)], off > (anywhere ?? -1), !(isAlways && anywhere != nil) { return false }
        guard let off = off[.conversation(conversation)] else { return true }
        return off < (here ?? -1) || (isAlways && here != nil)
    }
}
