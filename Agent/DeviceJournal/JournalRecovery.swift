package import WaypostSchema

/// The result of reading a journal's file, after its process ended in any way.
package struct JournalRecovery: Sendable {
    /// The end of the valid lines.
    package private(set) var end: JournalPosition

    /// The number of bytes after the valid lines; they were never safe, so no caller has relied on them.
    package private(set) var discardedByteCount = 0

    /// The largest number of bytes of the file that were held at once.
    package private(set) var maximumHeldByteCount = 0

    /// Reads the lines of a file after a position.
    ///
    /// A tail that cannot be read was being written when the process ended. But if a readable line was written after a
    /// broken one was safe, the file is damaged and stays unchanged.
    ///
    /// - Parameters:
    ///   - lines: the lines of the file after the position.
    ///   - position: the position; the caller already has everything before it.
    ///   - body: called with each valid entry after the position, in order.
    /// - Throws: `JournalError.damaged`, `JournalError.unknownEntry`, or `JournalError.system` if the file cannot be
    ///   read; the entries that `body` got are of no use then.
    package init(
        _ lines: JournalLines,
        from position: JournalPosition = .start,
        _ body: (JournalEntry) -> Void
    ) throws(JournalError) {
        var lines = lines
        end = position
        while let line = try lines.next() {
            guard let journalLine = try JournalLine.parse(line, number: end.lines + 1) else {
                try Self.checkTail(&lines, lineCount: end.lines)
                break
            }
            // Lines that were on the disk before it are missing.
            guard journalLine.durableLineCount <= end.lines else { throw .damaged(line: end.lines + 1) }
            body(journalLine.entry)
            end = JournalPosition(
                lines: end.lines + 1,
                bytes: end.bytes + line.count + 1,
                checksum: JournalLine.storedChecksum(of: line)
            )
        }
        discardedByteCount = lines.readEnd - end.bytes
        maximumHeldByteCount = lines.maximumHeldByteCount
    }

    /// Returns what the journal at `path` has lost since a checkpoint, or `nil` if nothing.
    ///
    /// Journals of earlier versions have no checkpoint. For them, every tail that is not an event is a loss.
    func loss(since checkpoint: JournalPosition?, at path: String) -> JournalLoss? {
        guard let checkpoint else {
            return discardedByteCount > 0 ? JournalLoss(path: path, missingEventCount: nil) : nil
        }
        let missingCount = checkpoint.lines - end.lines
        return missingCount > 0 ? JournalLoss(path: path, missingEventCount: missingCount) : nil
    }

    /// Checks that the broken line after `lineCount` valid lines was not safe yet when a later line was written.
    private static func checkTail(_ lines: inout JournalLines, lineCount: Int) throws(JournalError) {
        while let line = try lines.next() {
            guard let durableLineCount = try? JournalLine(line).durableLineCount else { continue }
            guard durableLineCount <= lineCount else { throw .damaged(line: lineCount + 1) }
        }
    }
}
