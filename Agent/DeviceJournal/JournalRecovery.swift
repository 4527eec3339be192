package import WaypostSchema

/// The contents of a journal's file, after its process ended in any way.
package struct JournalRecovery: Sendable, Equatable {
    /// The valid entries, in order, after the position from which the file was read.
    package private(set) var entries: [JournalEntry] = []

    /// The end of the valid lines.
    package private(set) var end: JournalPosition

    /// The number of bytes after the valid lines; they were never safe, so no caller has relied on them.
    package private(set) var discardedByteCount = 0

    /// Reads the contents of a file after a position.
    ///
    /// A tail that cannot be read was being written when the process ended. But if a readable line was written after a
    /// broken one was safe, the file is damaged and stays unchanged.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the file after the position.
    ///   - position: the position; the caller already has everything before it.
    /// - Throws: `JournalError.damaged` or `JournalError.unknownEntry`.
    package init(_ bytes: [UInt8], from position: JournalPosition = .start) throws(JournalError) {
        var lines = CompleteLines(bytes: bytes)
        end = position
        while let line = lines.next() {
            guard let journalLine = try Self.parse(line, number: end.lines + 1) else {
                try Self.checkTail(&lines, lineCount: end.lines)
                break
            }
            // Lines that were on the disk before it are missing.
            guard journalLine.durableLineCount <= end.lines else { throw .damaged(line: end.lines + 1) }
            entries.append(journalLine.entry)
            end = JournalPosition(
                lines: end.lines + 1,
                bytes: position.bytes + lines.offset,
                checksum: JournalLine.storedChecksum(of: line)
            )
        }
        discardedByteCount = position.bytes + bytes.count - end.bytes
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

    /// Returns the contents of a line, or `nil` if the line is broken.
    private static func parse(_ line: ArraySlice<UInt8>, number: Int) throws(JournalError) -> JournalLine? {
        do throws(JournalLine.ParseError) {
            return try JournalLine(line)
        } catch {
            switch error {
            case .broken: return nil
            case .unknown(let reason): throw .unknownEntry(line: number, reason: reason)
            }
        }
    }

    /// Checks that the broken line after `lineCount` valid lines was not safe yet when a later line was written.
    private static func checkTail(_ lines: inout CompleteLines, lineCount: Int) throws(JournalError) {
        while let line = lines.next() {
            guard let durableLineCount = try? JournalLine(line).durableLineCount else { continue }
            guard durableLineCount <= lineCount else { throw .damaged(line: lineCount + 1) }
        }
    }
}

/// The lines of a file that end with a line feed, in order.
private struct CompleteLines {
    let bytes: [UInt8]

    /// The offset of the first byte after the last line.
    private(set) var offset = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { offset = end + 1 }
        return bytes[offset..<end]
    }
}
