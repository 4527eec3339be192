/// A place between two lines of a journal, with the checksum of the line before it.
package struct JournalPlace: Codable, Sendable, Equatable {
    /// The number of lines before the place.
    package var lines: Int

    /// The number of bytes before the place.
    package var bytes: Int

    /// The checksum of the last line before the place; empty if there is none.
    package var checksum: String

    /// The start of every journal.
    package static let start = Self(lines: 0, bytes: 0, checksum: "")

    /// Creates the value from its parts.
    package init(lines: Int, bytes: Int, checksum: String) {
        self.lines = lines
        self.bytes = bytes
        self.checksum = checksum
    }

    /// Returns whether a journal has as many lines before this place, all as they were written, the last with the
    /// checksum.
    func isIn(_ journal: [UInt8]) -> Bool {
        guard bytes > 0 else { return lines == 0 }
        guard bytes <= journal.count, journal[bytes - 1] == UInt8(ascii: "\n") else { return false }
        let before = journal[..<(bytes - 1)]
        guard JournalLine.writtenChecksum(of: before) == checksum else { return false }
        let written = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return written.count == lines && written.allSatisfy(JournalLine.isWhole)
    }
}
