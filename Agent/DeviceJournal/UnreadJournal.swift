internal import Foundation
internal import LocalFiles
package import WaypostSchema

/// A journal that only this process can use, and whose lines it has not read yet.
///
/// Its lines are read in chunks, so a start needs memory for the state to which they lead, and not for them.
package struct UnreadJournal: Sendable {
    private let file: OpenFile
    private let checkpointFile: OpenFile
    private let checkpoint: JournalCheckpoint?
    private let path: String
    private let start: JournalStart

    /// Whether the lines are read from the requested position, and not from the start of the file.
    package let startsAtRequestedPosition: Bool

    /// Opens a journal, and creates it if needed.
    ///
    /// - Parameters:
    ///   - path: the path of the file; its folder must exist.
    ///   - position: the position to read from, up to which the caller has the state; if the file does not have it,
    ///     the file is read from its start.
    /// - Throws: `JournalError` if the journal cannot be used.
    package init(_ path: String, from position: JournalPosition = .start) throws(JournalError) {
        self.path = path
        let isLocked: Bool
        do throws(SystemError) {
            file = try OpenFile(path: path, O_RDWR | O_CREAT | O_APPEND)
            isLocked = try file.lock()
            start = try JournalStart(in: file, at: position)
            checkpointFile = try OpenFile(path: JournalFile.checkpointPath(of: path), O_RDWR | O_CREAT)
            checkpoint = JournalCheckpoint(bytes: try checkpointFile.read(upTo: JournalCheckpoint.length + 1))
        } catch {
            throw .system("\(path): cannot be opened: \(error)")
        }
        startsAtRequestedPosition = start.position == position
        guard isLocked else { throw .inUse(path) }
    }

    /// Calls `body` with the entries of the first lines, which were safe when the caller counted them.
    ///
    /// - Throws: `JournalError.damaged` or `JournalError.unknownEntry` for a line that cannot be used, or
    ///   `JournalError.system` if the file cannot be read.
    package func forEachEntry(ofFirst lineCount: Int, _ body: (JournalEntry) -> Void) throws(JournalError) {
        var lines = JournalLines(of: file, at: path, after: 0)
        var number = 0
        while number < lineCount {
            number += 1
            guard let line = try lines.next() else { throw .damaged(line: number) }
            body(try JournalLine.entry(in: line, number: number))
        }
    }

    /// Reads the lines after the position, and removes a tail that was not completely written.
    ///
    /// - Parameter body: called with each entry after the position, in order.
    /// - Returns: the journal, to which entries can be appended.
    /// - Throws: `JournalError` if the journal cannot be used; the entries that `body` got are of no use then.
    package func recover(_ body: (JournalEntry) -> Void) throws(JournalError) -> RecoveredJournal {
        let lines = JournalLines(of: file, at: path, after: start.position.bytes)
        let recovery = try JournalRecovery(lines, from: start.position, body)
        var loss = recovery.loss(since: checkpoint?.position, at: path)
        do throws(SystemError) {
            if recovery.discardedByteCount > 0, loss != nil { loss?.copyPath = try saveCopy() }
            try file.truncate(to: recovery.end.bytes)
            try file.syncContents()
            try AtomicFile.syncDirectoryEntry(of: path)
        } catch {
            throw .system("\(path): cannot be written: \(error)")
        }
        JournalCheckpoint(recovery.end).write(to: checkpointFile)
        let readLineByteCount = recovery.end.bytes - start.position.bytes + recovery.discardedByteCount
        return RecoveredJournal(
            file: JournalFile(file, checkpointFile: checkpointFile, path: path, end: recovery.end),
            recovery: recovery,
            readByteCount: start.readByteCount + readLineByteCount,
            loss: loss
        )
    }

    /// Writes a copy of the damaged file under an unused name, and returns the path of the copy.
    private func saveCopy() throws(SystemError) -> String {
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).damaged-\(number)") { number += 1 }
        let copyPath = "\(path).damaged-\(number)"
        try AtomicFile.copy(file, to: copyPath)
        try AtomicFile.syncDirectoryEntry(of: copyPath)
        return copyPath
    }
}

/// A journal whose lines were read at a start.
package struct RecoveredJournal: Sendable {
    /// The file.
    package let file: JournalFile

    /// How much of the file was valid.
    package let recovery: JournalRecovery

    /// The number of bytes that were read: those after the position, and the last line before it.
    package let readByteCount: Int

    /// Safe events that the journal has lost, if any.
    package let loss: JournalLoss?
}
