internal import Foundation
internal import LocalFiles
internal import Synchronization
package import WaypostSchema

/// The file of a journal, which only this process writes.
///
/// Entries are on the disk when `append` returns. If a write fails, the file is restored to its previous state; if that
/// fails as well, nothing more is accepted.
package final class JournalFile: Sendable {
    /// The part of the file that is safely on the disk.
    private struct Extent {
        var end: JournalPlace

        /// Whether the file has more than that, which could not be removed.
        var isBroken = false
    }

    /// A place between two lines that are on the disk.
    private struct Position {
        var lines = 0
        var bytes = 0
    }

    /// The number of bytes after which a page of entries ends, so that it needs little memory.
    private static let pageLength = 1 << 20

    private let file: OpenFile
    private let note: OpenFile
    private let path: String
    private let extent: Mutex<Extent>

    /// The end of the last page, from which the next one is read without a search.
    private let lastPage = Mutex(Position())

    /// Opens a journal, creates it if needed, and removes an end that was not safely written.
    ///
    /// - Parameters:
    ///   - path: the path of the file; its folder must exist.
    ///   - place: a place up to which the journal is known; if the file has no such place, it is read from its start.
    /// - Returns: the file, and its contents.
    /// - Throws: `JournalError` if the journal cannot be used.
    package static func open(_ path: String, from place: JournalPlace = .start) throws(JournalError) -> Opened {
        let file: OpenFile
        let note: OpenFile
        let isLocked: Bool
        let bytes: [UInt8]
        let noted: JournalNote?
        do throws(SystemError) {
            file = try OpenFile(path: path, O_RDWR | O_CREAT | O_APPEND)
            isLocked = try file.lock()
            bytes = try file.read()
            note = try OpenFile(path: recordPath(of: path), O_RDWR | O_CREAT)
            noted = JournalNote(bytes: try note.read(upTo: JournalNote.length + 1))
        } catch {
            throw .system("\(path): cannot be opened: \(error)")
        }
        guard isLocked else { throw .inUse(path) }
        let isBehindPlace = place.isIn(bytes)
        let found = try JournalRecovery(bytes, from: isBehindPlace ? place : .start)
        let journal = JournalFile(file, note, path: path, found: found)
        var loss = found.loss(noted?.place, at: path)
        if found.lost > 0, loss != nil { loss?.copy = try journal.keepCopy(of: bytes) }
        try journal.write { file throws(SystemError) in
            try file.truncate(to: found.end.bytes)
            try file.syncContents()
            try WholeFile.syncEntry(of: path)
        }
        journal.recordEnd(found.end)
        return Opened(file: journal, found: found, isBehindPlace: isBehindPlace, loss: loss)
    }

    /// A journal that was opened, and its contents.
    package struct Opened {
        /// The file.
        package let file: JournalFile

        /// The contents.
        package let found: JournalRecovery

        /// Whether these are the contents after the place that was asked for.
        package let isBehindPlace: Bool

        /// Safe events that the journal has lost, if any.
        package let loss: JournalLoss?
    }

    /// Returns the path of the file beside a journal that says how much of it is safe.
    package static func recordPath(of path: String) -> String {
        path + ".safe"
    }

    private init(_ file: OpenFile, _ note: OpenFile, path: String, found: JournalRecovery) {
        self.file = file
        self.note = note
        self.path = path
        extent = Mutex(Extent(end: found.end))
    }

    /// Keeps the file as it was found under a name that is free.
    private func keepCopy(of bytes: [UInt8]) throws(JournalError) -> String {
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).damaged-\(number)") { number += 1 }
        let copy = "\(path).damaged-\(number)"
        try write { _ throws(SystemError) in
            try WholeFile.write(bytes, to: copy)
            try WholeFile.syncEntry(of: copy)
        }
        return copy
    }

    /// Records how much of the journal is safe; if that fails, a later loss may go unnoticed.
    private func recordEnd(_ end: JournalPlace) {
        _ = note.overwrite(with: JournalNote(end).bytes)
    }

    /// Returns all entries, read again from the file.
    ///
    /// - Throws: `JournalError` if the file cannot be read.
    package func entries() throws(JournalError) -> [JournalEntry] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile(path: path).read()
        } catch {
            throw .system("\(path): cannot be read: \(error)")
        }
        return try JournalRecovery(bytes).entries
    }

    /// Returns a page of entries, read again from the file.
    ///
    /// - Parameters:
    ///   - skipped: the number of entries before the page.
    ///   - limit: the maximum number of entries.
    /// - Returns: the entries: none at the end of the journal, and fewer than `limit` if they are long.
    /// - Throws: `JournalError.moved`, or the error of a line that cannot be read.
    package func entries(after skipped: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
        // Lines on the disk do not change, so those up to here can be read while others are appended.
        let count = end.lines
        guard isInPlace else { throw .moved(path) }
        guard skipped < count else { return [] }
        var position = lastPage.withLock(\.self)
        if position.lines > skipped { position = Position() }
        var lines = try JournalLines(of: path, after: position.bytes)
        var entries: [JournalEntry] = []
        var length = 0
        while position.lines < count, entries.count < limit, length < Self.pageLength {
            guard let line = try lines.next() else { throw .damaged(line: position.lines + 1) }
            if position.lines >= skipped {
                entries.append(try Self.entry(in: line, number: position.lines + 1))
                length += line.count
            }
            position.lines += 1
            position.bytes += line.count + 1
        }
        lastPage.withLock { $0 = position }
        return entries
    }

    private static func entry(in line: ArraySlice<UInt8>, number: Int) throws(JournalError) -> JournalEntry {
        do throws(JournalLine.ParseError) {
            return try JournalLine(line).entry
        } catch {
            switch error {
            case .broken: throw .damaged(line: number)
            case .unknown(let reason): throw .unknownEntry(line: number, reason: reason)
            }
        }
    }

    /// Whether the file is still at its path.
    package var isInPlace: Bool {
        file.isAt(path)
    }

    /// The end of the entries on the disk.
    package var end: JournalPlace {
        extent.withLock(\.end)
    }

    /// Appends entries, either all of them or none.
    ///
    /// - Throws: `JournalError.system` if they cannot be written.
    package func append(_ entries: [JournalEntry]) throws(JournalError) {
        try extent.withLock { extent throws(JournalError) in
            guard !extent.isBroken else {
                throw .system("\(path): an earlier write failed, and could not be undone")
            }
            guard isInPlace else { throw .moved(path) }
            let bytes = try lines(of: entries, safe: extent.end.lines)
            do throws(JournalError) {
                try write { file throws(SystemError) in
                    try file.write(bytes)
                    try file.syncContents()
                }
            } catch {
                extent.isBroken = true
                try write { file throws(SystemError) in
                    try file.truncate(to: extent.end.bytes)
                    try file.syncContents()
                }
                extent.isBroken = false
                throw error
            }
            guard !entries.isEmpty else { return }
            extent.end = JournalPlace(
                lines: extent.end.lines + entries.count,
                bytes: extent.end.bytes + bytes.count,
                checksum: JournalLine.writtenChecksum(of: bytes.dropLast())
            )
            recordEnd(extent.end)
        }
    }

    private func lines(of entries: [JournalEntry], safe: Int) throws(JournalError) -> [UInt8] {
        do {
            return try entries.flatMap { try JournalLine(entry: $0, safe: safe).bytes + [UInt8(ascii: "\n")] }
        } catch {
            throw .system("\(path): an event cannot be written: \(error)")
        }
    }

    private func write(_ change: (OpenFile) throws(SystemError) -> Void) throws(JournalError) {
        do throws(SystemError) {
            try change(file)
        } catch {
            throw .system("\(path): cannot be written: \(error)")
        }
    }
}
