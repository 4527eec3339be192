internal import HashTreeCollections
internal import WaypostSchema

/// The items of one app in order: the curated item, then pinned items, then the others.
///
/// A change of one item takes O(log n), and so does computing its effect on the order; the list is never sorted again.
struct Shelf: Sendable, Codable {
    private(set) var items = TreeDictionary<ContentKey, ShelfItem>()
    private var pinned = RankedKeys()
    private var recent = RankedKeys()

    /// The items that are eligible for the first place, the best first.
    private var candidates = RankedKeys()

    /// The items that are not eligible yet, by the time at which they become eligible or stale.
    private var opening = RankedKeys()

    /// The eligible items that will lose their eligibility, by the time at which they do.
    private var closing = RankedKeys()

    var count: Int {
        items.count
    }

    /// The item that has the first place because of its score.
    var curated: ContentKey? {
        candidates.first?.key
    }

    /// The reason why there is no curated item; `nil` if there is one.
    var curationGap: CurationGapReason? {
        guard curated == nil else { return nil }
        if items.isEmpty { return .empty }
        if opening.count == items.count { return .tooRecent }
        return opening.count == 0 ? .stale : .tooRecentOrStale
    }

    /// Returns the number of items that were shared after a time or are pinned; they precede all others.
    func count(sharedAfter limit: Timestamp) -> Int {
        // Sort keys contain the time with the opposite sign; no item has these secondary numbers.
        pinned.count
            + recent.rank(of: SortKey(-limit.rawValue, .min, tertiary: .min, key: ContentKey(rawValue: "")))
    }

    /// The next time at which the passing of time alone changes which items are eligible for the first place.
    var nextDeadline: Timestamp? {
        [opening.first, closing.first].compactMap { $0?.primary }.min().map(Timestamp.init(milliseconds:))
    }

    /// Returns the keys of a part of the list, in order.
    func keys(from offset: Int, limit: Int) -> [ContentKey] {
        guard offset >= 0, limit > 0 else { return [] }
        let limit = min(limit, count)
        let curatedItem = curatedItem
        var keys = curatedItem.map { offset == 0 ? [$0.key] : [] } ?? []
        var remainingOffset = max(0, offset - (curatedItem == nil ? 0 : 1))
        for (section, isPinned) in [(pinned, true), (recent, false)] {
            let sortKey = curatedItem.flatMap { ($0.pinnedAt != nil) == isPinned ? $0.sectionSortKey : nil }
            let otherCount = section.count - (sortKey == nil ? 0 : 1)
            if remainingOffset < otherCount, keys.count < limit {
                let isAfterCurated = sortKey.map { section.rank(of: $0) <= remainingOffset } ?? false
                let start = isAfterCurated ? remainingOffset + 1 : remainingOffset
                let missingCount = limit - keys.count
                keys += section.keys(from: start, limit: missingCount + 1)
                    .filter { $0 != curatedItem?.key }
                    .prefix(missingCount)
            }
            remainingOffset = max(0, remainingOffset - otherCount)
        }
        return keys
    }

    /// Returns the zero-based position of an item in the list.
    func position(of key: ContentKey) -> Int? {
        items[key].map { position(of: $0, curated: curatedItem) }
    }

    /// Replaces items (a `nil` value removes an item) and advances the time.
    ///
    /// - Returns: the steps from the old list to the new one.
    mutating func apply(_ changes: [ContentKey: ShelfItem?], at now: Timestamp) -> [ShelfStep] {
        let changes = changes.filter { items[$0.key] != $0.value }
        let formerFirst = curatedItem
        var before: [ContentKey: PlacedItem] = [:]
        for key in Set(changes.keys).union([formerFirst?.key].compactMap(\.self)) {
            before[key] = items[key].map { PlacedItem($0, position(of: $0, curated: formerFirst)) }
        }
        for (key, item) in changes {
            removeFromCandidates(before[key]?.item)
            items[key] = item
            addToCandidates(item, at: now)
        }
        advanceEligibility(to: now)
        if let first = curatedItem, before[first.key] == nil, changes[first.key] == nil {
            before[first.key] = PlacedItem(first, position(of: first, curated: formerFirst))
        }
        for (key, item) in changes {
            removeFromSection(before[key]?.item)
            addToSection(item)
        }
        let first = curatedItem
        var after: [ContentKey: PlacedItem] = [:]
        for key in Set(changes.keys).union(before.keys) {
            after[key] = items[key].map { PlacedItem($0, position(of: $0, curated: first)) }
        }
        return ShelfStep.steps(from: before, to: after)
    }

    /// The steps from an empty list to this one.
    var stepsFromEmpty: [ShelfStep] {
        keys(from: 0, limit: count).enumerated().compactMap { place, key in
            items[key].map { ShelfStep(kind: .added, item: $0, from: nil, to: place) }
        }
    }

    /// The steps from this list to an empty one.
    var stepsToEmpty: [ShelfStep] {
        stepsFromEmpty.reversed().map { ShelfStep(kind: .removed, item: $0.item, from: $0.to, to: nil) }
    }

    private var curatedItem: ShelfItem? {
        curated.flatMap { items[$0] }
    }

    /// Returns the position of an item, given the current sections and the curated item.
    private func position(of item: ShelfItem, curated: ShelfItem?) -> Int {
        let position = sectionStart(of: item) + section(of: item).rank(of: item.sectionSortKey)
        guard let curated else { return position }
        guard curated.key != item.key else { return 0 }
        // The curated item is missing in its section and precedes all others instead.
        return isOrdered(curated, item) ? position : position + 1
    }

    /// Returns whether one item precedes another if neither is curated.
    private func isOrdered(_ left: ShelfItem, _ right: ShelfItem) -> Bool {
        guard (left.pinnedAt == nil) == (right.pinnedAt == nil) else { return left.pinnedAt != nil }
        return left.sectionSortKey < right.sectionSortKey
    }

    private func sectionStart(of item: ShelfItem) -> Int {
        item.pinnedAt == nil ? pinned.count : 0
    }

    private func section(of item: ShelfItem) -> RankedKeys {
        item.pinnedAt == nil ? recent : pinned
    }

    private mutating func removeFromSection(_ item: ShelfItem?) {
        guard let item else { return }
        if item.pinnedAt == nil { recent.remove(item.sectionSortKey) } else { pinned.remove(item.sectionSortKey) }
    }

    private mutating func addToSection(_ item: ShelfItem?) {
        guard let item else { return }
        if item.pinnedAt == nil { recent.insert(item.sectionSortKey) } else { pinned.insert(item.sectionSortKey) }
    }

    private mutating func removeFromCandidates(_ item: ShelfItem?) {
        guard let item else { return }
        candidates.remove(item.scoreSortKey)
        opening.remove(SortKey(item.tooRecentUntil.rawValue, 0, tertiary: 0, key: item.key))
        if let end = item.eligibleUntil { closing.remove(SortKey(end.rawValue, 0, tertiary: 0, key: item.key)) }
    }

    private mutating func addToCandidates(_ item: ShelfItem?, at now: Timestamp) {
        guard let item else { return }
        switch item.firstPlaceGap(at: now) {
        case .tooRecent: opening.insert(SortKey(item.tooRecentUntil.rawValue, 0, tertiary: 0, key: item.key))
        case .stale: break
        case nil:
            candidates.insert(item.scoreSortKey)
            if let end = item.eligibleUntil { closing.insert(SortKey(end.rawValue, 0, tertiary: 0, key: item.key)) }
        }
    }

    private mutating func advanceEligibility(to now: Timestamp) {
        while let key = opening.popFirst(withPrimaryUpTo: now.rawValue) {
            addToCandidates(items[key], at: now)
        }
        while let key = closing.popFirst(withPrimaryUpTo: now.rawValue) {
            if let item = items[key] { candidates.remove(item.scoreSortKey) }
        }
    }
}
