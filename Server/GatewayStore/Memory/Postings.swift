import WaypostSchema

/// Where in a log each key is found: its sequences, ascending.
struct Postings<Key: Hashable & Sendable>: Sendable {
    private var sequences: [Key: [Int]] = [:]

    /// The sequences of `key`.
    subscript(key: Key) -> [Int] {
        sequences[key] ?? []
    }

    /// Adds the greatest sequence so far.
    mutating func add(_ sequence: Int, to key: Key) {
        sequences[key, default: []].append(sequence)
    }

    /// Removes a sequence, which is fast for the first ones.
    mutating func remove(_ sequence: Int, from key: Key) {
        guard let index = sequences[key]?.firstIndex(of: sequence) else { return }
        sequences[key]?.remove(at: index)
        if sequences[key]?.isEmpty == true { sequences[key] = nil }
    }
}

/// What has ended, in the order of its end.
struct EndQueue: Sendable {
    private struct End: Sendable {
        var moment: Timestamp
        var sequence: Int
    }

    private var ends: [End] = []

    /// Adds what has ended, mostly last.
    mutating func add(_ sequence: Int, at moment: Timestamp) {
        let place = (ends.last?.moment ?? moment) <= moment ? ends.count : ends.firstIndex(above: moment, by: \.moment)
        ends.insert(End(moment: moment, sequence: sequence), at: place)
    }

    /// Removes what ended at `moment` or earlier; returns its sequences.
    mutating func remove(upTo moment: Timestamp) -> [Int] {
        guard let first = ends.first, first.moment <= moment else { return [] }
        let due = ends.prefix(ends.firstIndex(above: moment, by: \.moment))
        ends.removeFirst(due.count)
        return due.map(\.sequence)
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element whose `key` is above `bound`, of elements that are in ascending order of it.
    func firstIndex<Key: Comparable>(above bound: Key, by key: (Element) -> Key) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if key(self[middle]) > bound { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
