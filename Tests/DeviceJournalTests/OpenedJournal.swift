import DeviceJournal
import WaypostSchema

/// A journal and all entries that were read when it was opened.
struct OpenedJournal {
    let file: JournalFile
    let entries: [JournalEntry]
    let recovery: JournalRecovery
    let startsAtRequestedPosition: Bool
    let readByteCount: Int
    let loss: JournalLoss?
}

extension JournalFile {
    /// Opens a journal, and holds its entries after a position.
    static func open(
        _ path: String,
        from position: JournalPosition = .start
    ) throws(JournalError) -> OpenedJournal {
        let unread = try UnreadJournal(path, from: position)
        var entries: [JournalEntry] = []
        let recovered = try unread.recover { entries.append($0) }
        return OpenedJournal(
            file: recovered.file,
            entries: entries,
            recovery: recovered.recovery,
            startsAtRequestedPosition: unread.startsAtRequestedPosition,
            readByteCount: recovered.readByteCount,
            loss: recovered.loss
        )
    }
}
