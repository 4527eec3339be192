/// A page of a device's journal, in order.
public struct JournalPage: Codable, Sendable, Equatable {
    /// The entries; empty at the end of the journal.
    public var entries: [JournalEntry]

    /// The number of entries up to the end of the page: the value of `after` for the next page.
    public var next: Int

    /// Creates the value from its parts.
    public init(entries: [JournalEntry], next: Int) {
        self.entries = entries
        self.next = next
    }
}
