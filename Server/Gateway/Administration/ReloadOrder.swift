/// The order of the reads that replace a copy of stored data.
///
/// The result of a read is used unless the copy already has the result of a later read or change.
struct ReloadOrder: Sendable {
    private var lastBegunRead = 0
    private var lastUsedRead = 0

    /// Begins a read; returns its number.
    mutating func beginRead() -> Int {
        lastBegunRead += 1
        return lastBegunRead
    }

    /// Returns whether to use the result of a read, which is so if it is the latest; if so, records the use.
    mutating func acceptRead(_ number: Int) -> Bool {
        guard number > lastUsedRead else { return false }
        lastUsedRead = number
        return true
    }

    /// Records that the copy was changed without a read: the results of reads that began before are not used.
    mutating func recordChange() {
        lastUsedRead = lastBegunRead
    }
}
