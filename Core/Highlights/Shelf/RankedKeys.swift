internal import SortedCollections
internal import WaypostSchema

/// A sorted set of sort keys that can count the keys before another one.
///
/// All operations take O(log n). A copy shares everything that does not change.
struct RankedKeys: Sendable, Codable {
    /// The sort keys.
    private var sortKeys = SortedSet<SortKey>()

    var count: Int {
        sortKeys.count
    }

    /// The first sort key, cached because every event reads it.
    private(set) var first: SortKey?

    mutating func insert(_ sortKey: SortKey) {
        sortKeys.insert(sortKey)
        first = first.map { min($0, sortKey) } ?? sortKey
    }

    mutating func remove(_ sortKey: SortKey) {
        sortKeys.remove(sortKey)
        if first == sortKey { first = sortKeys.first }
    }

    /// Returns the number of keys before `sortKey`, which need not be in the set.
    func rank(of sortKey: SortKey) -> Int {
        sortKeys[..<sortKey].count
    }

    /// Returns content keys in order, from the one with the index `rank`.
    func keys(from rank: Int, limit: Int) -> [ContentKey] {
        guard rank < sortKeys.count, limit > 0 else { return [] }
        var keys: [ContentKey] = []
        var index = sortKeys.index(sortKeys.startIndex, offsetBy: rank)
        while index < sortKeys.endIndex, keys.count < limit {
            keys.append(sortKeys[index].key)
            sortKeys.formIndex(after: &index)
        }
        return keys
    }

    /// Removes the first sort key if its primary number is at most `limit`, and returns its content key.
    mutating func popFirst(withPrimaryUpTo limit: Int) -> ContentKey? {
        guard let first, first.primary <= limit else { return nil }
        remove(first)
        return first.key
    }
}
