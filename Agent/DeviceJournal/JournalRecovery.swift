package import WaypostSchema

/// The contents of a journal's file, after its process ended in any way.
package struct JournalRecovery: Sendable, Equatable {
    /// The valid entries, in order, after the place from which the file was read.
    package private(set) var entries: [JournalEntry] = []

    /// The end of the valid lines.
    package private(set) var end: JournalPlace

    /// The number of bytes after the valid lines: they were never safe, so nobody was notified of them.
    package private(set) var lost = 0

    /// Reads the contents of a file.
    ///
    /// An end that cannot be read was being written when the process ended. If a readable line was written after a
    /// broken one was safe, the file is damaged, and stays unchanged.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - place: the place to read from; everything before it is known.
    /// - Throws: `JournalError.damaged` or `JournalError.unknownEntry`.
    package init(_ bytes: [UInt8], from place: JournalPlace = .start) throws(JournalError) {
        var lines = Lines(bytes: bytes, from: place.bytes)
        end = place
        while let line = lines.next() {
            guard let read = try Self.read(line, behind: end.lines) else {
                try Self.checkTail(&lines, behind: end.lines)
                break
            }
            // Lines that were on the disk before it are missing.
            guard read.safe <= end.lines else { throw .damaged(line: end.lines + 1) }
            entries.append(read.entry)
            end = JournalPlace(
                lines: end.lines + 1,
                bytes: lines.position,
                checksum: JournalLine.writtenChecksum(of: line)
            )
        }
        lost = bytes.count - end.bytes
    }

    /// Returns what the journal at `path` has lost, given the place up to which it was safe; `nil` if nothing.
    ///
    /// Journals of earlier versions have no such place. Then every end that is not an event counts.
    func loss(_ safe: JournalPlace?, at path: String) -> JournalLoss? {
        guard let safe else { return lost > 0 ? JournalLoss(path: path, missing: nil) : nil }
        let missing = safe.lines - end.lines
        return missing > 0 ? JournalLoss(path: path, missing: missing) : nil
    }

    /// Returns the contents of a line, or `nil` if the line is broken.
    private static func read(_ line: ArraySlice<UInt8>, behind count: Int) throws(JournalError) -> JournalLine? {
        do throws(JournalLine.ParseError) {
            return try JournalLine(line)
        } catch {
            switch error {
            case .broken: return nil
            case .unknown(let reason): throw .unknownEntry(line: count + 1, reason: reason)
            }
        }
    }

    /// Checks that no later line was written after a broken line was safe.
    private static func checkTail(_ lines: inout Lines, behind count: Int) throws(JournalError) {
        while let line = lines.next() {
            guard let safe = try? JournalLine(line).safe else { continue }
            guard safe <= count else { throw .damaged(line: count + 1) }
        }
    }
}

/// The lines of a file that end with a line feed, in order.
private struct Lines {
    let bytes: [UInt8]

    /// The first byte after the last line.
    private(set) var position: Int

    init(bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { position = end + 1 }
        return bytes[position..<end]
    }
}
