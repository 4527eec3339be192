/// The order of the reads that replace a copy of stored data.
///
/// The result of a read is used unless the copy already has the result of a later read or change.
struct ReloadOrder: Sendable {
    private var lastBegun = 0
    private var lastUsed = 0

    /// Begins a read; returns its number.
    mutating func beginRead() -> Int {
        lastBegun += 1
        return lastBegun
    }

    /// Returns whether the result of a read is the latest; if so, records that it is used.
    mutating func acceptRead(_ number: Int) -> Bool {
        guard number > lastUsed else { return false }
        lastUsed = number
        return true
    }

    /// Records that the copy was changed without a read: the results of reads that began before are not used.
    mutating func recordChange() {
        lastUsed = lastBegun
    }
}
