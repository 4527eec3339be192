import DeviceJournal
import Foundation
import WaypostSchema

extension FuzzTarget {
    /// The bytes of `journal.jsonl`, of `journal.jsonl.safe`, and of `snapshot.json`.
    static let journalFiles = FuzzTarget(
        name: "journal-files",
        summary: "the files of a device; what was read once is read again, and a journal that is refused is unchanged"
    ) { bytes in
        var input = SeparatedInput(bytes)
        let folder = ScratchMemory()
        let journal = input.next()
        let path = folder.write(journal, to: "journal.jsonl")
        _ = folder.write(input.next(), to: "journal.jsonl.safe")
        if let contents = StartedJournal(path) { contents.check(journal) } else { checkRefused(path, journal) }
        checkState(folder, input.next())
    }

    /// Checks that a journal that cannot be used has its bytes.
    private static func checkRefused(_ path: String, _ journal: [UInt8]) {
        promise(
            FileManager.default.contents(atPath: path).map { Array($0) } == journal,
            "a journal that is refused is unchanged"
        )
    }

    /// Checks that a file with a checksum is read as it was written, or not at all.
    private static func checkState(_ folder: ScratchMemory, _ bytes: [UInt8]) {
        let path = folder.write(bytes, to: "snapshot.json")
        if let contents = ChecksummedFile.read(path) {
            promise(bytes.starts(with: contents), "the contents are the beginning of the file", found: contents)
        }
        ChecksummedFile.write(Data(bytes), to: path)
        promise(
            ChecksummedFile.read(path).map { Array($0) } == bytes,
            "a file with a checksum is read as it was written"
        )
    }
}

/// A journal that a process could start with.
private struct StartedJournal {
    private let path: String
    private let entries: [JournalEntry]
    private let end: JournalPosition

    /// Reads the journal at a path; `nil` if it is refused.
    init?(_ path: String) {
        var entries: [JournalEntry] = []
        do throws(JournalError) {
            let journal = try UnreadJournal(path).recover { entries.append($0) }
            end = journal.file.end
        } catch {
            promise(!"\(error)".isEmpty, "an error has a description")
            return nil
        }
        self.path = path
        self.entries = entries
    }

    /// Checks that the journal at the path begins as the file that was found, and is read again in the same way.
    func check(_ journal: [UInt8]) {
        promise(
            FileManager.default.contents(atPath: path).map { Array($0) } == Array(journal.prefix(end.bytes)),
            "a journal keeps the lines that were read, and nothing else",
            found: end
        )
        promise(end.lines == entries.count, "a journal has a line for each entry", found: end)
        append()
        guard let longer = StartedJournal(path) else { return promise(false, "a journal can be read again") }
        promise(longer.entries == entries + entries, "what was appended is read", found: longer.entries)
    }

    /// Reads the journal again, and appends its entries to it.
    private func append() {
        var found: [JournalEntry] = []
        do throws(JournalError) {
            let journal = try UnreadJournal(path).recover { found.append($0) }
            promise(journal.loss == nil, "nothing is lost at the next start", found: journal.loss as Any)
            promise(journal.recovery.discardedByteCount == 0, "nothing is discarded at the next start")
            promise(
                found == entries && journal.file.end == end,
                "the next start reads the same entries",
                found: found
            )
            try checkPages(of: journal.file)
            try journal.file.append(found)
        } catch {
            promise(false, "a journal that was read can be read and written again", found: error)
        }
    }

    /// Checks that pages have the same entries.
    private func checkPages(of file: JournalFile) throws(JournalError) {
        let half = entries.count / 2
        let pages = try file.entries(skipping: 0, limit: half) + file.entries(skipping: half, limit: entries.count)
        promise(pages == entries, "the pages of a journal have all its entries", found: pages)
    }
}
