internal import WaypostSchema

/// The times of manual clocks as last read from the store.
///
/// A clock only moves forward, so the latest time counts if reads end out of order. But a namespace that was deleted
/// and created again may have an earlier time: the results of reads that began before do not count then.
struct ManualClockTimes: Sendable {
    /// A read of a clock, or a move of it, which has a result, too.
    struct Read: Sendable, Hashable {
        let namespace: Namespace
        fileprivate let number: Int
    }

    private var times: [Namespace: Timestamp] = [:]

    /// The namespaces whose times the next result replaces, even by an earlier one.
    private var outdatedNamespaces: Set<Namespace> = []

    /// The reads in progress whose results count.
    private var currentReads: Set<Read> = []

    private var lastReadNumber = 0

    /// The namespaces whose clocks were read.
    var namespaces: [Namespace] {
        Array(times.keys)
    }

    /// Returns the time of a clock as last read; `nil` if it was not.
    subscript(namespace: Namespace) -> Timestamp? {
        times[namespace]
    }

    /// Begins a read; `end` or `cancel` must follow.
    mutating func beginRead(of namespace: Namespace) -> Read {
        lastReadNumber += 1
        let read = Read(namespace: namespace, number: lastReadNumber)
        currentReads.insert(read)
        return read
    }

    /// Ends a read that has a result.
    ///
    /// - Parameters:
    ///   - read: the read.
    ///   - time: the time that the clock shows; `nil` if it has not started, or if there is no such namespace.
    /// - Returns: whether the result counts.
    mutating func end(_ read: Read, with time: Timestamp?) -> Bool {
        guard currentReads.remove(read) != nil else { return false }
        if outdatedNamespaces.remove(read.namespace) != nil {
            times[read.namespace] = time
        } else if let time {
            times[read.namespace] = max(times[read.namespace] ?? time, time)
        }
        return true
    }

    /// Ends a read without a result; one that has ended is ignored.
    mutating func cancel(_ read: Read) {
        currentReads.remove(read)
    }

    /// Removes the time of a clock that was removed from the store.
    mutating func forget(_ namespace: Namespace) {
        ignoreCurrentReads(of: namespace)
        outdatedNamespaces.remove(namespace)
        times[namespace] = nil
    }

    /// Keeps the time of a clock that may have been removed from the store only until the next result.
    mutating func markAsOutdated(_ namespace: Namespace) {
        ignoreCurrentReads(of: namespace)
        if times[namespace] != nil { outdatedNamespaces.insert(namespace) }
    }

    private mutating func ignoreCurrentReads(of namespace: Namespace) {
        currentReads = currentReads.filter { $0.namespace != namespace }
    }
}
