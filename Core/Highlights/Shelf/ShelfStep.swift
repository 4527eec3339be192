internal import WaypostSchema

/// An item and its position in a list.
struct PlacedItem: Sendable {
    let item: ShelfItem
    let position: Int

    init(_ item: ShelfItem, _ position: Int) {
        (self.item, self.position) = (item, position)
    }
}

/// One step from a list to the next; `HighlightChange` documents how to apply the steps.
struct ShelfStep: Sendable, Equatable {
    let kind: HighlightChange.Kind
    let item: ShelfItem
    let from: Int?
    let to: Int?

    /// Returns the fewest steps from one list to the next.
    ///
    /// - Parameters:
    ///   - before: the old state of all items that may move, change, appear or disappear.
    ///   - after: the new state of these items; all other items keep their relative order.
    /// - Returns: the removals, the last position first; then the additions, updates and moves, the first position
    ///   first.
    static func steps(from before: [ContentKey: PlacedItem], to after: [ContentKey: PlacedItem]) -> [ShelfStep] {
        let removed = before.filter { after[$0.key] == nil }
            .map { ShelfStep(kind: .removed, item: $0.value.item, from: $0.value.position, to: nil) }
            .sorted { ($0.from ?? 0) > ($1.from ?? 0) }
        let unmovedKeys = unmovedKeys(before, after)
        let others = after.compactMap { key, new -> ShelfStep? in
            guard let old = before[key] else {
                return ShelfStep(kind: .added, item: new.item, from: nil, to: new.position)
            }
            let isSame = new.item.isShown(like: old.item)
            guard !isSame || !unmovedKeys.contains(key) else { return nil }
            return ShelfStep(kind: isSame ? .moved : .updated, item: new.item, from: old.position, to: new.position)
        }
        return removed + others.sorted { ($0.to ?? 0) < ($1.to ?? 0) }
    }

    /// Returns the items that do not move: the largest set that keeps its order, also relative to all other items.
    private static func unmovedKeys(
        _ before: [ContentKey: PlacedItem],
        _ after: [ContentKey: PlacedItem]
    ) -> Set<ContentKey> {
        let ranksBefore = ranksAmongOthers(before)
        let ranksAfter = ranksAmongOthers(after)
        let candidates = before.keys
            .filter { after[$0] != nil && ranksBefore[$0] == ranksAfter[$0] }
            .sorted { (before[$0]?.position ?? 0) < (before[$1]?.position ?? 0) }
        let positions = candidates.map { after[$0]?.position ?? 0 }
        return Set(longestIncreasingSubsequence(in: positions).map { candidates[$0] })
    }

    /// Returns, for each item, the number of unaffected items before it.
    private static func ranksAmongOthers(_ placed: [ContentKey: PlacedItem]) -> [ContentKey: Int] {
        let ordered = placed.sorted { $0.value.position < $1.value.position }
        return Dictionary(
            uniqueKeysWithValues: ordered.enumerated().map { index, entry in
                (entry.key, entry.value.position - index)
            }
        )
    }

    /// Returns the indices of the longest increasing subsequence of `numbers`, which are all different.
    private static func longestIncreasingSubsequence(in numbers: [Int]) -> [Int] {
        // `tails`: for each length, the index of the smallest number that ends an increasing subsequence of that
        // length. `previous`: for each number, the index of the number before it in its subsequence.
        var tails: [Int] = []
        var previous: [Int?] = []
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous.append(low > 0 ? tails[low - 1] : nil)
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var subsequence: [Int] = []
        var next = tails.last
        while let index = next {
            subsequence.append(index)
            next = previous[index]
        }
        return subsequence.reversed()
    }
}
