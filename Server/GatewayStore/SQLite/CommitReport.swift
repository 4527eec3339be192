/// What became of one transaction, for those who watch the store.
package struct CommitReport: Sendable, Equatable {
    /// How many items the changes carried that were made together.
    package var items: Int

    /// How long it took, with its sync.
    package var duration: Duration

    /// Whether anything was written.
    package var wrote: Bool

    /// Why nothing was changed, and whoever waited was told so; `nil` where the transaction is on the disk.
    package var fault: StoreFault?

    /// Creates the value from its parts.
    package init(items: Int, duration: Duration, wrote: Bool, fault: StoreFault? = nil) {
        self.items = items
        self.duration = duration
        self.wrote = wrote
        self.fault = fault
    }
}
