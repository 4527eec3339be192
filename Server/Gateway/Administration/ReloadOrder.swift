/// The order of reads that replace a copy: the result of a read is used unless a later read or change was.
struct ReloadOrder: Sendable {
    private var begun = 0
    private var used = 0

    /// Begins a read; returns its number.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Whether the result of a read is the latest; if so, it counts as used.
    mutating func use(_ number: Int) -> Bool {
        guard number > used else { return false }
        used = number
        return true
    }

    /// Records that the copy was changed without a read: the results of reads that began before are not used.
    mutating func recordChange() {
        used = begun
    }
}
