internal import SortedCollections
internal import WaypostSchema

/// Places in their order, each of which knows how many are before it.
///
/// Everything takes O(log n); a copy shares what is not changed.
struct RankedPlaces: Sendable, Codable {
    private var places = SortedSet<Place>()

    var count: Int {
        places.count
    }

    /// The first place, kept beside them as it is asked for with every event.
    private(set) var first: Place?

    mutating func insert(_ place: Place) {
        places.insert(place)
        first = first.map { min($0, place) } ?? place
    }

    mutating func remove(_ place: Place) {
        places.remove(place)
        if first == place { first = places.first }
    }

    /// Returns how many places come before one, which need not be among them.
    func rank(of place: Place) -> Int {
        places[..<place].count
    }

    /// Returns keys in their order, from the one with `rank` places before it on.
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

    /// Takes out and returns the key of the first place, where its first number is not above `limit`.
    mutating func popFirst(upTo limit: Int) -> ContentKey? {
        guard let first, first.first <= limit else { return nil }
        remove(first)
        return first.key
    }
}
