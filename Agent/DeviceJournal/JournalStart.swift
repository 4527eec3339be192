internal import LocalFiles

/// The position in a journal's file after which a start reads the lines.
///
/// Only the last line before the position is read to find out whether the position exists. So a start needs time for
/// the new lines, and not for the history; the lines before are checked when they are read.
struct JournalStart: Sendable {
    /// The position: the requested one, or the start of the file if the file does not have it.
    let position: JournalPosition

    /// The number of bytes that were read to find it.
    let readByteCount: Int

    /// The size of the first read that looks for the last line, in bytes.
    private static let chunkSize = 4 << 10

    /// Looks for a position in a file.
    init(in file: OpenFile, at requestedPosition: JournalPosition) throws(SystemError) {
        var byteCount = 0
        let exists = try Self.contains(requestedPosition, in: file, counting: &byteCount)
        position = exists ? requestedPosition : .start
        readByteCount = byteCount
    }

    /// Returns whether a line with the checksum of a position ends there, and counts the bytes that it reads.
    private static func contains(
        _ position: JournalPosition,
        in file: OpenFile,
        counting byteCount: inout Int
    ) throws(SystemError) -> Bool {
        guard position.bytes > 0 else { return position.lines == 0 }
        guard let line = try lastLine(before: position.bytes, in: file, counting: &byteCount) else { return false }
        return JournalLine.isIntact(line) && JournalLine.storedChecksum(of: line) == position.checksum
    }

    /// Returns the line that ends at an offset, without its line feed; `nil` if no line ends there.
    private static func lastLine(
        before offset: Int,
        in file: OpenFile,
        counting byteCount: inout Int
    ) throws(SystemError) -> ArraySlice<UInt8>? {
        let lineFeed = UInt8(ascii: "\n")
        var size = chunkSize
        while true {
            let start = max(0, offset - size)
            let bytes = try file.read(from: start, upTo: offset - start)
            byteCount += bytes.count
            guard bytes.count == offset - start, bytes.last == lineFeed else { return nil }
            let line = bytes.dropLast()
            if let end = line.lastIndex(of: lineFeed) { return line[(end + 1)...] }
            guard start > 0 else { return line }
            size *= 2
        }
    }
}
