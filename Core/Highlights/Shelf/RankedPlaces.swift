internal import SortedCollections
internal import WaypostSchema

/// A sorted set of places that can count the places before a given one.
///
/// All operations take O(log n). A copy shares everything that does not change.
struct RankedPlaces: Sendable, Codable {
    private var places = SortedSet<Place>()

    var count: Int {
        places.count
    }

    /// The first place, cached because every event reads it.
    private(set) var first: Place?

    mutating func insert(_ place: Place) {
        places.insert(place)
        first = first.map { min($0, place) } ?? place
    }

    mutating func remove(_ place: Place) {
        places.remove(place)
        if first == place { first = places.first }
    }

    /// Returns the number of places before `place`, which need not be in the set.
    func rank(of place: Place) -> Int {
        places[..<place].count
    }

    /// Returns keys in order, starting at the place with index `rank`.
    func keys(from rank: Int, limit: Int) -> [ContentKey] {
        guard rank < places.count, limit > 0 else { return [] }
        var keys: [ContentKey] = []
        var index = places.index(places.startIndex, offsetBy: rank)
        while index < places.endIndex, keys.count < limit {
            keys.append(places[index].key)
            places.formIndex(after: &index)
        }
        return keys
    }

    /// Removes the first place if its first number is at most `limit`, and returns its key.
    mutating func popFirst(upTo limit: Int) -> ContentKey? {
        guard let first, first.first <= limit else { return nil }
        remove(first)
        return first.key
    }
}
