package import WaypostSchema

/// What is found in a journal's file after whatever became of the process that wrote it.
package struct JournalRecovery: Sendable, Equatable {
    /// The entries that count, in order; those behind the place that was read from.
    package private(set) var entries: [JournalEntry] = []

    /// The end of the lines that count.
    package private(set) var end: JournalPlace

    /// How many bytes behind them were never safe, so that nobody was told of them.
    package private(set) var lost = 0

    /// Reads what a file has.
    ///
    /// What cannot be read at its end is what was being written when the process ended. Where something that can be read
    /// was written after it was safe, the file is damaged, and is left as it is.
    ///
    /// - Parameters:
    ///   - bytes: all of the file.
    ///   - place: a place in it that is read from, as everything before it is known.
    /// - Throws: `JournalError.damaged` and `unknownEntry`.
    package init(_ bytes: [UInt8], from place: JournalPlace = .start) throws(JournalError) {
        var lines = Lines(bytes: bytes, from: place.bytes)
        end = place
        while let line = lines.next() {
            guard let read = try Self.read(line, behind: end.lines) else {
                try Self.checkTail(&lines, behind: end.lines)
                break
            }
            // Lines that it saw are missing.
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

    /// Returns what a line has; `nil` where it is broken.
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

    /// Looks whether what follows a broken line was written when that was safe.
    private static func checkTail(_ lines: inout Lines, behind count: Int) throws(JournalError) {
        while let line = lines.next() {
            guard let safe = try? JournalLine(line).safe else { continue }
            guard safe <= count else { throw .damaged(line: count + 1) }
        }
    }
}

/// The lines of a file that end with a line feed.
private struct Lines {
    let bytes: [UInt8]

    /// The first byte behind the last line.
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
