/// A position between two lines of a journal, with the checksum of the line before it.
package struct JournalPosition: Codable, Sendable, Equatable {
    /// The number of lines before the position.
    package var lines: Int

    /// The number of bytes before the position.
    package var bytes: Int

    /// The checksum of the last line before the position; empty if there is none.
    package var checksum: String

    /// The start of every journal.
    package static let start = Self(lines: 0, bytes: 0, checksum: "")

    /// Creates the value from its parts.
    package init(lines: Int, bytes: Int, checksum: String) {
        self.lines = lines
        self.bytes = bytes
        self.checksum = checksum
    }
}
